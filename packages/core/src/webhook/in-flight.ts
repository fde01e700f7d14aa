/** The requests being worked on, beyond their deadline too. */
export interface InFlight {
  track<Result>(work: Promise<Result>): Promise<Result>
  /** Resolves when all that is tracked now has ended. */
  drained(): Promise<void>
}

export function createInFlight(): InFlight {
  const pending = new Set<Promise<unknown>>()
  return {
    track(work) {
      pending.add(work)
      const remove = (): void => void pending.delete(work)
      work.then(remove, remove)
      return work
    },
    drained: async () => {
      await Promise.allSettled(pending)
    },
  }
}
