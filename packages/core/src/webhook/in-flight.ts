/** Counts the requests being worked on, beyond their deadline too. */
export interface InFlight {
  enter(): void
  leave(): void
  /** Resolves when all that have entered have left. */
  drained(): Promise<void>
}

export function createInFlight(): InFlight {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    enter() {
      running++
    },
    leave() {
      running--
      if (running === 0) for (const resolve of waiting.splice(0)) resolve()
    },
    drained: () =>
      new Promise((resolve) => {
        if (running === 0) resolve()
        else waiting.push(resolve)
      }),
  }
}
