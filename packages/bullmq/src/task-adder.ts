import { setTimeout as sleep } from 'node:timers/promises'
import type { QueuedTask } from '@tonplug/core'
import { Queue, type ConnectionOptions, type JobsOptions } from 'bullmq'
import { endQueue } from './end-connections.js'
import { jobId } from './job-names.js'

/** Time limit for Redis to store jobs. */
const ADD_MS = 5000

/** Adds the jobs of one handler. */
export class TaskAdder {
  readonly #queue: Queue<QueuedTask>
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    name: string,
    options: { connection: ConnectionOptions; prefix: string },
    onError: (error: unknown) => void,
  ) {
    this.#queue = new Queue(name, options)
    // Without a listener, an error of the connection would end the process.
    this.#queue.on('error', onError)
  }

  /** Stores all jobs or none, and skips jobs that are already stored. Rejects if Redis does not respond in time. */
  async add(tasks: readonly QueuedTask[], opts: JobsOptions): Promise<void> {
    // BullMQ queues commands in memory during a Redis outage, so the next one waits for the last one.
    await inTime(this.#last)
    const jobs = tasks.map((data) => ({
      name: data.handler,
      data,
      opts: { ...opts, jobId: jobId(data) },
    }))
    const added = this.#queue.addBulk(jobs)
    this.#last = added.catch(() => undefined)
    await inTime(added)
  }

  close(): Promise<void> {
    return endQueue(this.#queue)
  }
}

async function inTime(promise: Promise<unknown>): Promise<void> {
  const late = sleep(ADD_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Redis has not responded within ${ADD_MS / 1000} seconds`)
  })
  await Promise.race([promise, late])
}
