/** Is told about an answer that departs from the description in a way that does no harm. */
export type DriftListener = (path: string, problem: string) => void

// A schema has no other way to tell its caller something that is not an error. Decoding is synchronous, so one list at
// a time is enough.
let told: [path: string, problem: string][] | undefined

/** Runs `decode` and then tells `listen` about every drift that its schemas met. */
export function withDrift<Result>(listen: DriftListener, decode: () => Result): Result {
  const events: [path: string, problem: string][] = []
  told = events
  try {
    return decode()
  } finally {
    told = undefined
    for (const [path, problem] of events) listen(path, problem)
  }
}

/** Tells about a drift. @param path the field, as in `account_state`. */
export function reportDrift(path: string, problem: string): void {
  told?.push([path, problem])
}

/** How much has been told so far. */
export function countDrift(): number {
  return told?.length ?? 0
}

/** Takes back what was told since `count`: about the inside of a value that is left out as a whole. */
export function takeBackDrift(count: number): void {
  if (told !== undefined) told.length = count
}
