/**
 * Somebody who runs `run` inside something of its own, such as a span. `run` does the work, and its promise tells how
 * that ended.
 */
export type Around<Event, End> = (event: Event, run: () => Promise<End>) => unknown

/**
 * Does the work inside `around`, if that is there. The work is done once, at once, and its end is the caller's, whatever
 * `around` does with it: what it throws, at once or later, is ignored, and nothing waits for it.
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

/** Calls somebody who only listens: what that throws, at once or later, is ignored, and nothing waits for it. */
export function callListener(listener: () => unknown): void {
  new Promise((resolve) => resolve(listener())).catch(() => undefined)
}
