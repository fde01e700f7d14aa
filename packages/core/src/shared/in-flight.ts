/** Counts running work, so that a shutdown can wait for it. */
export interface InFlight {
  /** Runs the work, and counts it until it settles. */
  track<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when nothing is running. */
  drained(): Promise<void>
}

export function createInFlight(): InFlight {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async track(work) {
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) for (const resolve of waiting.splice(0)) resolve()
      }
    },
    drained: () =>
      new Promise((resolve) => {
        if (running === 0) resolve()
        else waiting.push(resolve)
      }),
  }
}
