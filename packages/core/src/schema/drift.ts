/** Is told about an answer that departs from the description in a way that does no harm. */
export type DriftListener = (path: string, problem: string) => void

// A schema has no other way to tell its caller something that is not an error. Decoding is synchronous, so one
// listener at a time is enough.
let listener: DriftListener | undefined

/** Runs `decode` and tells `listen` about every drift that its schemas meet. */
export function withDrift<Result>(listen: DriftListener, decode: () => Result): Result {
  listener = listen
  try {
    return decode()
  } finally {
    listener = undefined
  }
}

/** Tells about a drift. @param path the field, as in `account_state`. */
export function reportDrift(path: string, problem: string): void {
  listener?.(path, problem)
}
