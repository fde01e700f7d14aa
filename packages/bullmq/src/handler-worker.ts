import type { QueuedTask, TaskWorker } from '@tonplug/core'
import { WaitingError, Worker, type ConnectionOptions, type Job } from 'bullmq'
import { disconnect, isDoneInTime } from './end-connections.js'
import { JobLocks } from './job-locks.js'
import { queueName } from './job-names.js'
import { cappedBackoff } from './job-options.js'

// The jobs of a killed process run in another one after at most 20 seconds.
const LOCK_MS = 15_000
const STALLED_CHECK_MS = 5000

class EndableWorker extends Worker<QueuedTask, void> {
  /** Closes connections and timers. `close` waits indefinitely while ioredis reconnects. */
  end(): void {
    disconnect(this)
    void this.lockManager.close()
  }
}

/** Runs the jobs of one handler. */
export class HandlerWorker {
  readonly #task: TaskWorker
  readonly #worker: EndableWorker
  readonly #locks = new JobLocks(LOCK_MS)
  readonly #runs = new Set<Promise<void>>()
  #isStopping = false
  #isCutOff = false

  constructor(
    task: TaskWorker,
    handler: string,
    options: { connection: ConnectionOptions; prefix: string },
  ) {
    this.#task = task
    const { name, retry, concurrency } = task
    this.#worker = new EndableWorker(queueName({ name, handler }), (job) => this.#process(job), {
      ...options,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A job that crashes its process on every attempt also becomes a dead letter.
      maxStalledCount: retry.maxAttempts - 1,
      settings: { backoffStrategy: cappedBackoff(retry) },
    })
    // Without a listener, an error of the connection would end the process.
    this.#worker.on('error', task.onError)
    this.#worker.on('locksRenewed', ({ jobIds }) => this.#locks.renew(jobIds))
    this.#worker.on('lockRenewalFailed', (jobIds) => this.#locks.lose(jobIds))
  }

  /** Resolves when all runs have ended, or seconds later if Redis does not respond. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const closed = this.#worker.close()
    do {
      await Promise.allSettled(this.#runs)
      if (await isDoneInTime(closed)) return
    } while (this.#runs.size > 0)
    this.#isCutOff = true
    this.#worker.end()
  }

  async #process(job: Job<QueuedTask, void>): Promise<void> {
    // The job stays active until its lock expires; then another process runs it.
    if (this.#isCutOff) throw new Error('the worker has been closed')
    const run = this.#run(job)
    this.#runs.add(run)
    const remove = (): boolean => this.#runs.delete(run)
    run.then(remove, remove)
    try {
      await run
    } catch (error) {
      if (!this.#isStopping) throw error
      // A run that a shutdown aborted does not count as a failed attempt.
      await job.moveToWait(job.token)
      throw new WaitingError()
    }
  }

  async #run({
    id = '',
    data,
    attemptsMade,
    stalledCounter,
  }: Job<QueuedTask, void>): Promise<void> {
    const { signal, release } = this.#locks.watch(id)
    try {
      await this.#task.run(data, { attempt: attemptsMade + stalledCounter + 1, signal })
    } finally {
      release()
    }
  }
}
