export interface Issue {
  /** Keys and indexes from the value down. */
  path: readonly PropertyKey[]
  expected: string
}

/** Formats a path, for example `result[0].transaction_id.lt`. */
export function writePath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text
}

/** A value that a decoder cannot read. */
export class Mismatch extends Error {
  /** The expected value, as the end of "is not …". */
  readonly expected: string
  readonly value: unknown
  /** The invalid place inside the value; empty for the whole value. */
  readonly path: readonly PropertyKey[]

  constructor(expected: string, value: unknown, path: readonly PropertyKey[] = []) {
    super(expected)
    this.expected = expected
    this.value = value
    this.path = path
  }
}

export function refuse(expected: string, value: unknown, path?: readonly PropertyKey[]): never {
  throw new Mismatch(expected, value, path)
}
