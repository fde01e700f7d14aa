/** Requests to run now: all requests made before a run begins wait for the end of that run. */
export class RunRequests {
  readonly #onRequest: () => void
  #waiting: { ended: Promise<void>; end: () => void } | undefined

  /** @param onRequest called for the first request since a run began */
  constructor(onRequest: () => void) {
    this.#onRequest = onRequest
  }

  /** True when a request waits for the next run to begin. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Resolves at the end of the next run. */
  request(): Promise<void> {
    if (this.#waiting !== undefined) return this.#waiting.ended
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#waiting = { ended, end }
    this.#onRequest()
    return ended
  }

  /** Called when a run begins. Returns the function to call at its end. */
  begin(): () => void {
    const { end } = this.#waiting ?? {}
    this.#waiting = undefined
    return () => end?.()
  }
}
