/**
 * Returns a function that runs `run` once for all of its callers that wait at the same time. Every caller gets a run that
 * began after its call; at most one is in progress.
 */
export function shareRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  const start = (): Promise<Result> => {
    next = undefined
    const started = run()
    current = started
    return started
  }
  return () => (next ??= current.then(start, start))
}
