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

  /** Adds a job that was added before, and runs it again if it has failed. @returns `done` for a completed one. */
  async addAgain(task: QueuedTask, opts: JobsOptions): Promise<'added' | 'done'> {
    const id = jobId(task)
    const state = await inTime(this.#queue.getJobState(id))
    if (state === 'completed') return 'done'
    // Added again, it has all its attempts. A relay that is killed in between adds it later.
    if (state === 'failed') await inTime(this.#queue.remove(id))
    await this.add([task], opts)
    return 'added'
  }

  /** Returns what Redis reports about itself. */
  async serverInfo(): Promise<string> {
    return inTime(this.#queue.backend.connection.client.then((client) => client.info()))
  }

  /** Returns why no job of this queue runs; `undefined` without a problem. */
  async queueProblem(): Promise<string | undefined> {
    const [isPaused, workers] = await inTime(
      Promise.all([this.#queue.isPaused(), this.#queue.getWorkersCount()]),
    )
    if (isPaused) return `the queue ${this.#queue.name} is paused`
    if (workers === 0) return `the queue ${this.#queue.name} has no worker in any process`
    return undefined
  }

  /** Returns how many of these jobs BullMQ does not have; `undefined` if it has all. */
  async lostProblem(tasks: readonly QueuedTask[]): Promise<string | undefined> {
    const states = await inTime(
      Promise.all(tasks.map((task) => this.#queue.getJobState(jobId(task)))),
    )
    const lost = tasks.filter((_, index) => states[index] === 'unknown')
    if (lost.length === 0) return undefined
    const reports = lost.slice(0, 3).map(({ reportId }) => reportId)
    return `Redis has lost ${lost.length} jobs of the queue ${this.#queue.name}. Hand them over again with operator.retry, for example for the report ${reports.join(', ')}`
  }

  close(): Promise<void> {
    return endQueue(this.#queue)
  }
}

async function inTime<Result>(promise: Promise<Result>): Promise<Result> {
  const late = sleep(ADD_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Redis has not responded within ${ADD_MS / 1000} seconds`)
  })
  return Promise.race([promise, late])
}
