/** Distinguishes a failure of one item from an outage: an outage fails for every item. */
export interface FailureLimit {
  /** Counts a failure. @throws {unknown} the failure, when too many occurred in a row. */
  fail(error: unknown): void
  succeed(): void
  /** Returns the first failure. */
  first(): { error: unknown } | undefined
}

/** @param most failures in a row that are not an outage */
export function createFailureLimit(most: number): FailureLimit {
  let inRow = 0
  let first: { error: unknown } | undefined
  return {
    fail(error) {
      inRow++
      first ??= { error }
      if (inRow > most) throw error
    },
    succeed() {
      inRow = 0
    },
    first: () => first,
  }
}
