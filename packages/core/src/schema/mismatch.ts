/** A value is not what a decoder reads. */
export class Mismatch extends Error {
  /** What belongs there, as the end of "is not …". */
  readonly expected: string
  /** The value. */
  readonly value: unknown
  /** Where inside of the value, if not all of it is wrong. */
  readonly path: readonly PropertyKey[]

  constructor(expected: string, value: unknown, path: readonly PropertyKey[] = []) {
    super(expected)
    this.expected = expected
    this.value = value
    this.path = path
  }
}

/** @throws {Mismatch} */
export function refuse(expected: string, value: unknown, path?: readonly PropertyKey[]): never {
  throw new Mismatch(expected, value, path)
}
