import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkOptionNames,
  ConfigurationError,
  RepositoryError,
  type JobListener,
  type JobQueue,
  type JobSubscription,
} from '@tonplug/core'
import { Queue, Worker, type ConnectionOptions } from 'bullmq'

export interface BullmqJobQueueOptions {
  /** Where Redis is: what BullMQ's `Queue` and `Worker` take. */
  connection: ConnectionOptions
  /** Comes before every key in Redis. @default 'bull' */
  prefix?: string | undefined
}

const NAMES: Record<keyof BullmqJobQueueOptions, true> = { connection: true, prefix: true }

/** A {@link JobQueue} with connections of its own. */
export interface BullmqJobQueue extends JobQueue {
  /** Ends the connections that it made, within seconds also while Redis is away. Close the receivers first. */
  close(): Promise<void>
}

/** The queues of one receiver. */
interface Queues {
  wakes: Queue
  sweeps: Queue
}

// Nothing is lost with a job; the inbox has the attempts and the dead letters.
const JOB = { attempts: 1, removeOnComplete: true, removeOnFail: true }
const SWEEP = 'sweep'
const GOODBYE_MS = 1000

/**
 * A {@link JobQueue} on BullMQ, for servers that share an inbox and have Redis. A wake-up comes within milliseconds.
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws every method {@link RepositoryError} when Redis refuses; while it is away, BullMQ waits.
 * @example
 * const jobs = bullmqJobQueue({ connection: { url: process.env.REDIS_URL } })
 * const receiver = createWebhookReceiver({ jobs, ...options })
 */
export function bullmqJobQueue(given: BullmqJobQueueOptions): BullmqJobQueue {
  checkOptionNames(given, Object.keys(NAMES))
  const { connection, prefix = 'bull' } = given
  checkConnection(connection)
  const opened = new Map<string, Queues>()
  const listeners = new Map<string, JobListener>()
  const workers = new Set<Worker>()
  const options = { connection, prefix }

  const tellTrouble = (receiver: string, error: Error): void =>
    listeners.get(receiver)?.onTrouble?.(error)
  const openQueue = (receiver: string, name: string): Queue => {
    const queue = new Queue(name, { ...options, defaultJobOptions: JOB })
    // Where nobody listens to the event, a restart of Redis would end the process.
    queue.on('error', (error) => tellTrouble(receiver, error))
    return queue
  }
  const queuesOf = (receiver: string): Queues => {
    const known = opened.get(receiver)
    if (known !== undefined) return known
    // No sign but the colon is forbidden in a name.
    const suffix = encodeURIComponent(receiver)
    const queues = {
      wakes: openQueue(receiver, `tonplug-wake-${suffix}`),
      sweeps: openQueue(receiver, `tonplug-sweep-${suffix}`),
    }
    opened.set(receiver, queues)
    return queues
  }
  const startWorker = async (
    queue: Queue,
    receiver: string,
    work: () => Promise<void>,
  ): Promise<Worker> => {
    const worker = new Worker(queue.name, work, { ...options, concurrency: 1 })
    worker.on('error', (error) => tellTrouble(receiver, error))
    workers.add(worker)
    await worker.waitUntilReady()
    return worker
  }
  const listen = async (listener: JobListener): Promise<JobSubscription> => {
    listeners.set(listener.receiver, listener)
    const { wakes, sweeps } = queuesOf(listener.receiver)
    const renew = (): Promise<void> => scheduleSweep(sweeps, listener.sweepEveryMs)
    await renew()
    const started = [
      await startWorker(wakes, listener.receiver, listener.onWake),
      await startWorker(sweeps, listener.receiver, listener.onSweep),
    ]
    return {
      renew: () => attempt('jobs.renew', renew),
      stop: () =>
        attempt('jobs.stop', async () => {
          await Promise.all(started.map(endWorker))
        }),
    }
  }

  return {
    name: 'bullmq',
    wake: ({ receiver, delayMs }) =>
      attempt('jobs.wake', async () => {
        await queuesOf(receiver).wakes.add('wake', {}, { delay: delayMs })
      }),
    listen: (listener) => attempt('jobs.listen', () => listen(listener)),
    async close() {
      const queues = [...opened.values()].flatMap(({ wakes, sweeps }) => [wakes, sweeps])
      opened.clear()
      await Promise.all([...workers, ...queues].map(endInTime))
      workers.clear()
    },
  }
}

/**
 * What names no server would be one on this machine.
 * @throws {ConfigurationError} without the value, which may have a password.
 */
function checkConnection(connection: unknown): void {
  if (typeof connection !== 'object' || connection === null) {
    const found = connection === null ? 'null' : `a ${typeof connection}`
    const problem = `is ${found}; give { url: 'redis://…' }, other options of BullMQ, or a client of ioredis`
    throw new ConfigurationError({ option: 'connection', problem })
  }
  if ('url' in connection && (typeof connection.url !== 'string' || connection.url.trim() === '')) {
    const problem = 'is no address; is its variable set? Leave it out for host and port'
    throw new ConfigurationError({ option: 'connection.url', problem })
  }
}

async function scheduleSweep(sweeps: Queue, everyMs: number): Promise<void> {
  // Of all servers together: one job at a time.
  await sweeps.setGlobalConcurrency(1)
  const standing = await sweeps.getJobScheduler(SWEEP)
  // Made anew it would begin from now, and never come where servers start all the time.
  if (standing?.every === everyMs) return
  await sweeps.upsertJobScheduler(SWEEP, { every: everyMs }, { name: SWEEP, opts: JOB })
}

/** What waits for a Redis that is away is cut off: it would keep the process. */
async function endWorker(worker: Worker): Promise<void> {
  const { status } = await worker.backend.connection.client
  await worker.close(status !== 'ready')
}

/** Redis may hang, and never say goodbye. */
async function endInTime(connected: Queue | Worker): Promise<void> {
  const timer = setTimeout(() => cutOff(connected), GOODBYE_MS)
  const late = sleep(2 * GOODBYE_MS, undefined, { ref: false })
  await Promise.race([connected.close(), late]).finally(() => clearTimeout(timer))
}

/** Those that Redis has not greeted yet can only be closed, and those that say goodbye only be disconnected. */
function cutOff({ backend: { connection, blockingConnection } }: Queue | Worker): void {
  for (const one of [connection, blockingConnection]) {
    for (const ended of [one?.close(true), one?.disconnect()]) ended?.catch(() => undefined)
  }
}

async function attempt<Result>(operation: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (cause) {
    throw new RepositoryError({ operation, problem: 'BullMQ refused; see cause', cause })
  }
}
