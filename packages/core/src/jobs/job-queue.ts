/**
 * Carries wake-ups between the servers of a receiver, and lets one of them at a time look after the inbox. It holds
 * nothing that matters: what has to run, when, and how often it failed is in the inbox. A wake-up that is lost is
 * made up for by the sweep, one too many finds nothing to do, and without the queue each server looks by itself.
 */
export interface JobQueue {
  /** Shown in logs. */
  readonly name: string
  /**
   * Has `onWake` called on one of the servers that listen for this receiver, no earlier than in `delayMs`. Where none
   * does, the wake-up may wait for one or be lost.
   */
  wake(wakeUp: WakeUp): Promise<void>
  /** Takes part in the work for a receiver. A process may listen for several, each once at a time. */
  listen(listener: JobListener): Promise<JobSubscription>
}

/** A delivery of the receiver's is to be decided, or a handler to run. */
export interface WakeUp {
  receiver: string
  delayMs: number
}

/** One server's part in the work for a receiver. Its functions never reject. */
export interface JobListener {
  receiver: string
  /** Runs what is due. It is not called again before it has resolved. */
  onWake: () => Promise<void>
  /**
   * Looks after everything the receiver has. Called on one of its servers at a time, `sweepEveryMs` after the call
   * before. Should the server die meanwhile, or take longer than a minute, another one may begin.
   */
  onSweep: () => Promise<void>
  sweepEveryMs: number
  /** For a queue that waits for its server in silence: told of what stands in the way, which is logged once a minute. */
  onTrouble?: ((error: unknown) => void) | undefined
}

export interface JobSubscription {
  /** Makes sure that the sweep is arranged, should the queue have lost it. Called every minute. */
  renew(): Promise<void>
  /** Listens no more; resolves when what was called has ended. */
  stop(): Promise<void>
}
