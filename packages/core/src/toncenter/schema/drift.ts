/** Receives each harmless difference between a response and its description. */
export type DriftListener = (path: string, problem: string) => void

// A schema cannot otherwise report anything but an error. Decoding is synchronous, so one list at a time is enough.
let reported: [path: string, problem: string][] | undefined

/** Runs `decode`, then calls `listen` with each drift that its schemas reported. */
export function withDrift<Result>(listen: DriftListener, decode: () => Result): Result {
  const events: [path: string, problem: string][] = []
  reported = events
  try {
    return decode()
  } finally {
    reported = undefined
    for (const [path, problem] of events) listen(path, problem)
  }
}

export function reportDrift(path: string, problem: string): void {
  reported?.push([path, problem])
}

export function countDrift(): number {
  return reported?.length ?? 0
}

/** Discards the reports since `count`. They are about the inside of a value that is left out as a whole. */
export function discardDrift(count: number): void {
  if (reported !== undefined) reported.length = count
}
