/** Returns the result of `work`; `undefined` when it throws an error of this class. */
export function undefinedOn<Result>(
  kind: abstract new (...facts: never[]) => Error,
  work: () => Result,
): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof kind) return undefined
    throw error
  }
}
