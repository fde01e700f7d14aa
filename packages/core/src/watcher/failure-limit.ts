/** Distinguishes a failure of one item from an outage: an outage fails for every item. */
export class FailureLimit {
  /** The first failure. */
  first: { error: unknown } | undefined
  readonly #most: number
  #inRow = 0

  /** @param most failures in a row that are not an outage */
  constructor(most: number) {
    this.#most = most
  }

  /** Counts a failure. @throws {unknown} the failure, when too many occurred in a row. */
  fail(error: unknown): void {
    this.#inRow++
    this.first ??= { error }
    if (this.#inRow > this.#most) throw error
  }

  succeed(): void {
    this.#inRow = 0
  }
}
