interface JobLock {
  controller: AbortController
  timer: NodeJS.Timeout
}

/** A run of a job that holds the job's lock. */
export interface WatchedRun {
  /** Aborted when the lock is lost or expires. */
  signal: AbortSignal
  /** Stops watching the lock. */
  release: () => void
}

/**
 * The locks of a worker's running jobs. A job whose lock was lost may run again at the same time, in another process or in
 * this one.
 */
export class JobLocks {
  readonly #locks = new Map<string, JobLock>()
  readonly #lockMs: number

  constructor(lockMs: number) {
    this.#lockMs = lockMs
  }

  /** Starts to watch the lock of a new run. An earlier run of the job has lost its lock. */
  watch(jobId: string): WatchedRun {
    const controller = new AbortController()
    const timer = setTimeout(() => abort(controller), this.#lockMs)
    const lock = { controller, timer }
    this.lose([jobId])
    this.#locks.set(jobId, lock)
    return {
      signal: controller.signal,
      release: () => {
        clearTimeout(timer)
        if (this.#locks.get(jobId) === lock) this.#locks.delete(jobId)
      },
    }
  }

  renew(jobIds: readonly string[]): void {
    for (const jobId of jobIds) this.#locks.get(jobId)?.timer.refresh()
  }

  lose(jobIds: readonly string[]): void {
    for (const jobId of jobIds) {
      const lock = this.#locks.get(jobId)
      if (lock !== undefined) abort(lock.controller)
    }
  }
}

function abort(controller: AbortController): void {
  controller.abort(new Error('the lock of the job was lost; it may run in another process'))
}
