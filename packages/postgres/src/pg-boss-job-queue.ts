import { randomUUID } from 'node:crypto'
import { RepositoryError, type JobListener, type JobQueue } from '@tonplug/core'

/** What is used of a `PgBoss`. */
export interface PgBossLike {
  createQueue(name: string, options: PgBossQueueOptions): Promise<void>
  send(name: string, data: object, options: PgBossSendOptions): Promise<string | null>
  work(
    name: string,
    options: PgBossWorkOptions,
    handler: (jobs: { data: unknown }[]) => Promise<void>,
  ): Promise<string>
  offWork(name: string, options: { id: string; wait: boolean }): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Options of one of its queues. */
export interface PgBossQueueOptions {
  policy: 'stately'
  retryLimit: number
  expireInSeconds: number
  deleteAfterSeconds: number
}

/** How often a worker looks for jobs. */
export interface PgBossWorkOptions {
  pollingIntervalSeconds: number
  burstWhenBatchFull: boolean
}

/** Options of one of its jobs. */
export interface PgBossSendOptions {
  singletonKey: string
  startAfter: number
}

// One job of a key is waiting and one is running at most. All sweeps have one key, so one server at a time is at it;
// each wake-up has a key of its own.
const QUEUE: PgBossQueueOptions = {
  policy: 'stately',
  // Nothing is lost with a job; the inbox has the attempts and the dead letters.
  retryLimit: 0,
  // A server that died does not hold up the sweep of the others for longer.
  expireInSeconds: 60,
  deleteAfterSeconds: 60,
}
const POLLING: PgBossWorkOptions = {
  pollingIntervalSeconds: 1,
  // After a job it looks for the next one at once.
  burstWhenBatchFull: true,
}
const SWEEP = 'sweep'

/**
 * A {@link JobQueue} on pg-boss 12, for servers that share an inbox in PostgreSQL.
 * @param boss started, and stopped after the receiver is closed. A wake-up comes within a second of its time.
 * @throws every method {@link RepositoryError} when the database cannot be reached.
 * @example
 * const boss = new PgBoss(process.env.DATABASE_URL)
 * await boss.start()
 * const receiver = createWebhookReceiver({ jobs: pgBossJobQueue(boss), ...options })
 */
export function pgBossJobQueue(boss: PgBossLike): JobQueue {
  const queues = new Map<string, Promise<string>>()
  // Where nobody listens to the event, a restart of the database would end the process.
  boss.on('error', () => undefined)

  const openQueue = (receiver: string): Promise<string> => {
    const known = queues.get(receiver)
    if (known !== undefined) return known
    const name = queueName(receiver)
    const opened = boss.createQueue(name, QUEUE).then(() => name)
    queues.set(receiver, opened)
    // The next call tries again.
    opened.catch(() => queues.delete(receiver))
    return opened
  }
  const send = async (receiver: string, singletonKey: string, delayMs: number): Promise<void> => {
    const options = { singletonKey, startAfter: delayMs / 1000 }
    await boss.send(await openQueue(receiver), { singletonKey }, options)
  }
  const serve = async (listener: JobListener, key: unknown): Promise<void> => {
    if (key !== SWEEP) return listener.onWake()
    try {
      // First, so that the sweep goes on should this server die. It waits until this one has ended.
      await send(listener.receiver, SWEEP, listener.sweepEveryMs)
    } finally {
      await listener.onSweep()
    }
  }

  return {
    name: 'pg-boss',
    wake: ({ receiver, delayMs }) =>
      attempt('jobs.wake', () => send(receiver, randomUUID(), delayMs)),
    listen: (listener) =>
      attempt('jobs.listen', async () => {
        const { receiver, sweepEveryMs } = listener
        const name = await openQueue(receiver)
        const id = await boss.work(name, POLLING, async (jobs) => {
          for (const { data } of jobs) await serve(listener, keyOf(data))
        })
        const renew = (): Promise<void> => send(receiver, SWEEP, sweepEveryMs)
        await renew()
        return {
          renew: () => attempt('jobs.renew', renew),
          stop: () => attempt('jobs.stop', () => boss.offWork(name, { id, wait: true })),
        }
      }),
  }
}

/** pg-boss knows names of letters, digits and some signs; no two receivers may share one. */
function queueName(receiver: string): string {
  const escaped = receiver.replace(/[^\w-]/gu, (sign) => `.${sign.codePointAt(0)?.toString(16)}.`)
  return `tonplug/${escaped}`
}

function keyOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'singletonKey' in data
    ? data.singletonKey
    : undefined
}

async function attempt<Result>(operation: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (cause) {
    throw new RepositoryError({ operation, problem: 'pg-boss refused; see cause', cause })
  }
}
