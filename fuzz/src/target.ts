/** Something that reads what others wrote, and what has to hold of it. */
export interface Target {
  /** Also the folder of its corpus. */
  name: string
  /** Pieces that inputs are made of. */
  words: readonly string[]
  /** Inputs of about so many bytes that are as much work as there can be, to see that it grows with their length only. */
  grow: Readonly<Record<string, (bytes: number) => Uint8Array>>
  /** Reads an input. @throws when something does not hold; any other than a documented error is such a case. */
  check: (input: Uint8Array) => void | Promise<void>
}

/** For `words` of targets that read JSON. */
export const JSON_WORDS = ['"', ':', ',', '{', '}', '[', ']', 'null'] as const

/** The text of an input, with replacement characters where it is no UTF-8. */
export function textOf(input: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(input)
}

/** Parsed JSON; `undefined` when it is none. */
export function jsonOf(input: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(input))
  } catch {
    return undefined
  }
}

/** Whether JSON may nest so deep that what writes or compares it overflows the call stack. */
export function isDeep(input: Uint8Array): boolean {
  return (textOf(input).match(/[[{]/g) ?? []).length > 500
}

/** What `run` throws, which must be of that class; `undefined` when it throws nothing. */
export function documented<Failure extends Error>(
  // Abstract families too, whatever they are made of.
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

/** A text that many times, as bytes. */
export function repeat(text: string, bytes: number): Uint8Array {
  return Buffer.from(text.repeat(Math.ceil(bytes / text.length)))
}

/** A text that many times between two others, as bytes. */
export function wrap(before: string, text: string, after: string, bytes: number): Uint8Array {
  return join(before, repeat(text, bytes), after)
}

/** As many openings as there are closings, around what is in the middle. */
export function nest(open: string, middle: string, close: string, bytes: number): Uint8Array {
  const levels = Math.ceil(bytes / (open.length + close.length))
  return Buffer.from(open.repeat(levels) + middle + close.repeat(levels))
}

/** Pieces one after another. */
export function join(...pieces: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}
