/** A parser of untrusted input, with the properties to check. */
export interface Target {
  /** Also the name of the corpus folder. */
  name: string
  /** Fragments of typical inputs. */
  words: readonly string[]
  /** Worst-case inputs of about `bytes` bytes, to check that the work grows only linearly with their length. */
  grow: Readonly<Record<string, (bytes: number) => Uint8Array>>
  /** Checks an input. @throws when a property is violated or an undocumented error is thrown. */
  check: (input: Uint8Array) => void | Promise<void>
}

/** The `words` that all targets with JSON input share. */
export const JSON_WORDS = ['"', ':', ',', '{', '}', '[', ']', 'null'] as const

/** Decodes an input as UTF-8, with replacement characters for invalid bytes. */
export function textOf(input: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(input)
}

/** Returns the parsed JSON; `undefined` when it is invalid. */
export function jsonOf(input: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(input))
  } catch {
    return undefined
  }
}

/** Returns true when JSON may be nested so deeply that writing or comparing it overflows the call stack. */
export function isDeep(input: Uint8Array): boolean {
  return (textOf(input).match(/[[{]/g) ?? []).length > 500
}

/** Returns the error that `run` throws, which must be an instance of the class; `undefined` when it throws nothing. */
export function documented<Failure extends Error>(
  // Also accepts abstract base classes, with any constructor parameters.
  classOf: abstract new (...facts: never[]) => Failure,
  run: () => unknown,
): Failure | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof classOf) return error
    throw error
  }
}

/** Returns a repeated string as bytes, at least `bytes` long. */
export function repeat(text: string, bytes: number): Uint8Array {
  return Buffer.from(text.repeat(Math.ceil(bytes / text.length)))
}

/** Returns a repeated string between two others, as bytes. */
export function wrap(before: string, text: string, after: string, bytes: number): Uint8Array {
  return join(before, repeat(text, bytes), after)
}

/** Returns nested pairs of `open` and `close` around `middle`, as bytes. */
export function nest(open: string, middle: string, close: string, bytes: number): Uint8Array {
  const levels = Math.ceil(bytes / (open.length + close.length))
  return Buffer.from(open.repeat(levels) + middle + close.repeat(levels))
}

/** Returns the concatenated pieces. */
export function join(...pieces: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}
