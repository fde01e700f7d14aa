/**
 * Runs `run` inside something of its own, for example a span. `run` does the work; its promise settles with the result.
 */
export type Around<Event, End> = (event: Event, run: () => Promise<End>) => unknown

/**
 * Does the work inside `around`, if there is one. The work is done once, and its result is the caller's: the errors of
 * `around` are ignored, and nothing waits for it.
 */
export function runInside<Event, End>(
  around: Around<Event, End> | undefined,
  event: () => Event,
  work: () => Promise<End>,
): Promise<End> {
  if (around === undefined) return work()
  let end: Promise<End> | undefined
  const run = (): Promise<End> => (end ??= work())
  callListener(() => around(event(), run))
  return run()
}

/** Calls a listener. Its errors are ignored, and nothing waits for it. */
export function callListener(listener: () => unknown): void {
  new Promise((resolve) => resolve(listener())).catch(() => undefined)
}
