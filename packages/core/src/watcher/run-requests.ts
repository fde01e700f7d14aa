/** Requests to run now: all requests made before a run begins wait for the end of that run. */
export interface RunRequests {
  /** Resolves at the end of the next run. */
  request(): Promise<void>
  /** Called when a run begins. Returns the function to call at its end. */
  begin(): () => void
  /** True when a request waits for the next run to begin. */
  readonly isWaiting: boolean
}

/** @param onRequest called for the first request since a run began */
export function createRunRequests(onRequest: () => void): RunRequests {
  let waiting: { ended: Promise<void>; end: () => void } | undefined
  return {
    request() {
      if (waiting === undefined) {
        let end = (): void => undefined
        const ended = new Promise<void>((resolve) => {
          end = resolve
        })
        waiting = { ended, end }
        onRequest()
      }
      return waiting.ended
    },
    begin() {
      const { end } = waiting ?? {}
      waiting = undefined
      return () => end?.()
    },
    get isWaiting() {
      return waiting !== undefined
    },
  }
}
