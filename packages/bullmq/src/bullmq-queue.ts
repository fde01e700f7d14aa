import { RepositoryError, type QueuedTask, type TaskQueue } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import type { ConnectionOptions, JobsOptions } from 'bullmq'
import { z } from 'zod'
import { checkEngine } from './check-engine.js'
import { findConnectionProblem, NOT_A_CLIENT } from './connection-problem.js'
import { HandlerWorker } from './handler-worker.js'
import { queueName } from './job-names.js'
import { jobOptions } from './job-options.js'
import { TaskAdder } from './task-adder.js'

export interface BullmqQueueOptions {
  /** Redis, as passed to BullMQ's `Queue` and `Worker`: options of ioredis, `{ url }`, or a client. */
  connection: ConnectionOptions
  /** Prefix of every key in Redis. @default 'bull' */
  prefix?: string | undefined
  /**
   * Minimum time for which completed jobs are kept, milliseconds. During this time, a task that is added again does not run
   * again. Failed jobs are kept until you remove them.
   * @default 604_800_000 (7 days)
   */
  keepCompletedMs?: number | undefined
}

/** A {@link TaskQueue} with Redis connections of its own. */
export interface BullmqQueue extends TaskQueue {
  /** Closes the connections within seconds, even during a Redis outage. Close the Payments first. */
  close(): Promise<void>
}

const WEEK_MS = 7 * 24 * 3_600_000

const OPTIONS = z
  .strictObject({
    connection: z.custom<ConnectionOptions>((value) => value !== undefined, NOT_A_CLIENT),
    prefix: z.string().default('bull'),
    keepCompletedMs: z
      .custom<number>(
        (value) => typeof value === 'number' && value > 0,
        'must be a number of milliseconds above 0',
      )
      .default(WEEK_MS),
  } satisfies Record<keyof BullmqQueueOptions, z.ZodType>)
  .superRefine(({ connection, prefix }, context) => {
    const problem = findConnectionProblem(connection, prefix)
    if (problem !== undefined) context.addIssue({ code: 'custom', ...problem })
  })

/**
 * Runs handler tasks as BullMQ jobs: one queue per Payments and handler, one job per idempotency key.
 * @throws {ConfigurationError} for an unknown or invalid option, and for a connection that BullMQ cannot work with.
 * @throws {RepositoryError} `add`, when Redis rejects the jobs or does not respond within 5 seconds.
 * @example
 * const queue = bullmqQueue({ connection: { url: process.env.REDIS_URL } })
 * const payments = createPayments({ queue, ...options })
 */
export function bullmqQueue(options: BullmqQueueOptions): BullmqQueue {
  const { keepCompletedMs, ...redis } = parseOptions(OPTIONS, options)
  const adders = new Map<string, TaskAdder>()
  const workers = new Set<HandlerWorker>()
  const errorListeners = new Map<string, (error: unknown) => void>()

  const adderOf = ({ name, handler }: Pick<QueuedTask, 'name' | 'handler'>): TaskAdder => {
    const key = queueName({ name, handler })
    const reportError = (error: unknown): void => errorListeners.get(name)?.(error)
    const adder = adders.get(key) ?? new TaskAdder(key, redis, reportError)
    adders.set(key, adder)
    return adder
  }
  const stop = async (worker: HandlerWorker): Promise<void> => {
    await worker.stop()
    workers.delete(worker)
  }

  return {
    name: 'bullmq',
    add: (tasks, retry) => addTasks(tasks, adderOf, jobOptions(retry, keepCompletedMs)),
    addAgain: (task, retry) =>
      attempt(() => adderOf(task).addAgain(task, jobOptions(retry, keepCompletedMs))),
    check: (query) => checkEngine(query, adderOf),
    work(task) {
      errorListeners.set(task.name, task.onError)
      const started = task.handlers.map((handler) => new HandlerWorker(task, handler, redis))
      for (const worker of started) workers.add(worker)
      return Promise.resolve({ stop: async () => void (await Promise.all(started.map(stop))) })
    },
    async close() {
      await Promise.all([...workers].map(stop))
      const closing = [...adders.values()].map((adder) => adder.close())
      adders.clear()
      await Promise.all(closing)
    },
  }
}

async function addTasks(
  tasks: readonly QueuedTask[],
  adderOf: (task: QueuedTask) => TaskAdder,
  opts: JobsOptions,
): Promise<void> {
  const groups = new Map<TaskAdder, QueuedTask[]>()
  for (const task of tasks) {
    const adder = adderOf(task)
    groups.set(adder, [...(groups.get(adder) ?? []), task])
  }
  await attempt(() => Promise.all([...groups].map(([adder, group]) => adder.add(group, opts))))
}

async function attempt<Result>(add: () => Promise<Result>): Promise<Result> {
  try {
    return await add()
  } catch (cause) {
    const problem = 'BullMQ has not stored all jobs; see cause'
    throw new RepositoryError({ operation: 'queue.add', problem, cause })
  }
}
