import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { RepositoryError, type QueuedTask, type TaskQueue, type TaskWorker } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'

/** The part of a `PgBoss` that {@link pgBossQueue} uses. */
export interface PgBossLike {
  createQueue(name: string, options: PgBossQueueOptions): Promise<void>
  insert(name: string, jobs: PgBossNewJob[]): Promise<unknown>
  findJobs(name: string, query: { id: string }): Promise<PgBossJobState[]>
  deleteJob(name: string, id: string): Promise<unknown>
  work(
    name: string,
    options: PgBossWorkOptions,
    handler: (jobs: PgBossJob[]) => Promise<void>,
  ): Promise<string>
  offWork(name: string, options: { id: string; wait: boolean }): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export interface PgBossQueueOptions {
  notify: boolean
}

export interface PgBossWorkOptions {
  localConcurrency: number
  pollingIntervalSeconds: number
  burstWhenReadyExceeds: number
}

/** A job to store. */
export interface PgBossNewJob {
  id: string
  data: QueuedTask
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax: number
  expireInSeconds: number
  heartbeatSeconds: number
  retentionSeconds: number
  deleteAfterSeconds: number
}

/** A stored job. */
export interface PgBossJob {
  data: QueuedTask
  retryCount: number
  signal: AbortSignal
}

/** The progress of a stored job. */
export interface PgBossJobState {
  state: string
  createdOn: Date
}

export interface PgBossTaskQueueOptions {
  /**
   * Time for which completed and failed jobs are kept, milliseconds. During this time, a task that is added again does not
   * run again, and a failed job can be retried.
   * @default 2_592_000_000 (30 days)
   */
  keepFinishedMs?: number | undefined
}

const DAY_SECONDS = 24 * 3600
const MONTH_MS = 30 * DAY_SECONDS * 1000

const OPTIONS = z.strictObject({
  keepFinishedMs: z
    .custom<number>(
      (value) => typeof value === 'number' && value > 0,
      'must be a number of milliseconds above 0',
    )
    .default(MONTH_MS),
} satisfies Record<keyof PgBossTaskQueueOptions, z.ZodType>)

// pg-boss deletes waiting jobs as well, after 14 days by default. A task must wait until a process runs its handler.
const RETENTION_SECONDS = 3650 * DAY_SECONDS
// The Payments limits a run by its `handlerTimeoutMs`. pg-boss allows 24 hours at most.
const EXPIRE_SECONDS = DAY_SECONDS
// The shortest that pg-boss allows.
const HEARTBEAT_SECONDS = 10
const WORK = { pollingIntervalSeconds: 1, burstWhenReadyExceeds: 10 }
/** Time limit for the database to create a queue or to store jobs. */
const STORE_MS = 5000
/** Time after which a job that waits shows that no process has a worker. */
const NO_WORKER_MS = 60_000
/** States of jobs that never run again by themselves, and have not completed. */
const ENDED = new Set(['failed', 'cancelled'])
/** Time limit for pg-boss to stop after the last run. */
const STOP_MS = 1000

/**
 * Runs handler tasks as jobs of pg-boss 12: one queue per Payments and handler, one job per idempotency key.
 * @param boss must be started before the Payments, and stopped after it is closed.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @throws {RepositoryError} `add` and `work`, when the database cannot be reached, or does not respond within 5 seconds.
 * @example
 * const boss = new PgBoss({ connectionString, superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 })
 * await boss.start()
 * const payments = createPayments({ queue: pgBossQueue(boss), ...options })
 */
export function pgBossQueue(boss: PgBossLike, options: PgBossTaskQueueOptions = {}): TaskQueue {
  const { keepFinishedMs } = parseOptions(OPTIONS, options)
  // Without a listener, an error of the connection would end the process.
  boss.on('error', () => undefined)
  const createQueue = createEachOnce((queue) => inTime(boss.createQueue(queue, { notify: true })))

  return {
    name: 'pg-boss',
    add: (tasks, retry) =>
      attempt('queue.add', async () => {
        const ofEachJob = jobOptions(retry, keepFinishedMs)
        for (const [queue, jobs] of groupByQueue(tasks)) {
          await createQueue(queue)
          const newJobs = [...jobs].map(([id, data]) => ({ id, data, ...ofEachJob }))
          await inTime(boss.insert(queue, newJobs))
        }
      }),
    addAgain: (task, retry) =>
      attempt('queue.add', async () => {
        const [queue, id] = [queueName(task), jobId(task)]
        await createQueue(queue)
        const [job] = await inTime(boss.findJobs(queue, { id }))
        if (job?.state === 'completed') return 'done'
        // Stored again, it has all its attempts. A relay that is killed in between stores it later.
        if (job !== undefined && ENDED.has(job.state)) await inTime(boss.deleteJob(queue, id))
        await inTime(boss.insert(queue, [{ id, data: task, ...jobOptions(retry, keepFinishedMs) }]))
        return 'added'
      }),
    check: ({ name, handlers, tasks }) => checkJobs(boss, createQueue, { name, handlers, tasks }),
    work: (worker) =>
      attempt('queue.work', async () => {
        const queues = worker.handlers.map((handler) => queueName({ name: worker.name, handler }))
        await Promise.all(queues.map(createQueue))
        boss.on('error', worker.onError)
        const workers = await Promise.all(queues.map((queue) => startWorker(boss, queue, worker)))
        return {
          async stop() {
            await Promise.all(workers.map((stop) => stop()))
            boss.off('error', worker.onError)
          },
        }
      }),
  }
}

/** Returns why pg-boss does not run the tasks; `undefined` without a problem. */
async function checkJobs(
  boss: PgBossLike,
  createQueue: (queue: string) => Promise<void>,
  { name, handlers, tasks }: Parameters<NonNullable<TaskQueue['check']>>[0],
): Promise<string | undefined> {
  const queues = [...handlers.map((handler) => ({ name, handler })), ...tasks].map(queueName)
  let jobs: (PgBossJobState | undefined)[]
  try {
    for (const queue of new Set(queues)) await createQueue(queue)
    const found = tasks.map((task) => boss.findJobs(queueName(task), { id: jobId(task) }))
    jobs = (await inTime(Promise.all(found))).map(([job]) => job)
  } catch {
    return 'pg-boss cannot be reached, or was not started. Call boss.start() before createPayments()'
  }
  const lost = tasks.filter((_, index) => jobs[index] === undefined)
  if (lost.length > 0) {
    const reports = lost.slice(0, 3).map(({ reportId }) => reportId)
    return `pg-boss has lost ${lost.length} jobs. Hand them over again with operator.retry, for example for the report ${reports.join(', ')}`
  }
  // Workers take the oldest job first.
  const waiting = jobs.find((job) => job?.state === 'created')
  const hasActive = jobs.some((job) => job?.state === 'active')
  if (waiting === undefined || hasActive) return undefined
  return Date.now() - waiting.createdOn.getTime() > NO_WORKER_MS
    ? 'pg-boss has jobs that no process takes; its queues have no worker'
    : undefined
}

/** Returns a function that creates each queue once; after a failure, the next call tries again. */
function createEachOnce(create: (queue: string) => Promise<void>) {
  const created = new Map<string, Promise<void>>()
  return (queue: string): Promise<void> => {
    const known = created.get(queue)
    if (known !== undefined) return known
    const creating = create(queue)
    created.set(queue, creating)
    creating.catch(() => created.delete(queue))
    return creating
  }
}

/** Returns the tasks of each queue by job id; pg-boss rejects a list in which one id occurs twice. */
function groupByQueue(tasks: readonly QueuedTask[]): Map<string, Map<string, QueuedTask>> {
  const groups = new Map<string, Map<string, QueuedTask>>()
  for (const task of tasks) {
    const queue = queueName(task)
    const group = groups.get(queue) ?? new Map<string, QueuedTask>()
    groups.set(queue, group.set(jobId(task), task))
  }
  return groups
}

/** Returns a name of the characters that pg-boss allows, for example `tonplug/default/onPaid.ship`. */
function queueName({ name, handler }: Pick<QueuedTask, 'name' | 'handler'>): string {
  return `tonplug/${encode(name)}/${encode(handler)}`
}

function encode(text: string): string {
  return text.replaceAll(/[^a-z\d.-]/giu, (sign) => `_${sign.codePointAt(0)?.toString(16)}_`)
}

/** Returns a UUID of version 8 that is derived from the idempotency key. */
function jobId({ idempotencyKey }: QueuedTask): string {
  const hash = createHash('sha256').update(idempotencyKey).digest('hex')
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/u, '$1-$2-8$3-8$4-$5')
}

function jobOptions(
  { maxAttempts, minDelayMs, maxDelayMs }: TaskWorker['retry'],
  keepFinishedMs: number,
): Omit<PgBossNewJob, 'id' | 'data'> {
  return {
    retryLimit: maxAttempts - 1,
    retryDelay: Math.ceil(minDelayMs / 1000),
    retryBackoff: true,
    retryDelayMax: Math.ceil(maxDelayMs / 1000),
    expireInSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
    deleteAfterSeconds: Math.ceil(keepFinishedMs / 1000),
  }
}

async function startWorker(
  boss: PgBossLike,
  queue: string,
  { concurrency, run }: TaskWorker,
): Promise<() => Promise<void>> {
  const runs = new Set<Promise<void>>()
  let isCutOff = false
  const options = { ...WORK, localConcurrency: concurrency }
  const id = await boss.work(queue, options, async (jobs) => {
    // The job stays active until its heartbeat expires; then another process runs it.
    if (isCutOff) throw new Error('the worker has been stopped')
    const running = runEach(jobs, run)
    runs.add(running)
    await running.finally(() => runs.delete(running))
  })
  return async () => {
    const stopped = boss.offWork(queue, { id, wait: true }).then(
      () => true,
      () => true,
    )
    do {
      await Promise.allSettled(runs)
      // During a database outage, pg-boss waits until it can store the outcome.
      if (await Promise.race([stopped, sleep(STOP_MS, false, { ref: false })])) return
    } while (runs.size > 0)
    isCutOff = true
  }
}

async function runEach(jobs: readonly PgBossJob[], run: TaskWorker['run']): Promise<void> {
  for (const { data, retryCount, signal } of jobs) {
    await run(data, { attempt: retryCount + 1, signal })
  }
}

/** pg-boss sets no time limit, and a database host that has disappeared does not close its connections. */
async function inTime<Result>(promise: Promise<Result>): Promise<Result> {
  const late = sleep(STORE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the database has not responded within ${STORE_MS / 1000} seconds`)
  })
  return Promise.race([promise, late])
}

async function attempt<Result>(operation: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (cause) {
    throw new RepositoryError({ operation, problem: 'pg-boss failed; see cause', cause })
  }
}
