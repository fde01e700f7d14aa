import type { QueuedTask, TaskQueue, TaskWorker } from '@tonplug/core'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { pgBossQueue } from '../src/pg-boss-queue.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'

const RETRY: TaskWorker['retry'] = { maxAttempts: 2, minDelayMs: 10, maxDelayMs: 10 }
const QUEUE = 'tonplug/default/onPaid.ship'

describe.skipIf(!hasPostgres)(`pgBossQueue on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres(2)
  })
  afterAll(() => database.close())

  async function startBoss(): Promise<PgBoss> {
    const boss = new PgBoss({ connectionString: database.url, max: 3, schedule: false })
    await boss.start()
    onTestFinished(async () => {
      await boss.stop({ graceful: false })
      // A running one may lock the same rows.
      await database.db.query('DELETE FROM pgboss.job')
    })
    return boss
  }

  it('S88 stores one job per idempotency key, whichever process adds it first', async () => {
    const bosses = [await startBoss(), await startBoss()]
    const tasks = Array.from({ length: 50 }, (_, index) => taskOf(`order-${index}`))
    await Promise.all(bosses.map((boss) => pgBossQueue(boss).add([...tasks, ...tasks], RETRY)))
    const jobs = await bosses[0]?.findJobs(QUEUE)
    expect(jobs?.map(({ data }) => (data as QueuedTask).reference).toSorted()).toEqual(
      tasks.map(({ reference }) => reference).toSorted(),
    )
  })

  it('S88 does not run a task again that was added again after it had completed', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    const runs: string[] = []
    const run = ({ reference }: QueuedTask): Promise<void> => {
      runs.push(reference)
      return Promise.resolve()
    }
    const work = await queue.work(workerOf({ run }))
    onTestFinished(() => work.stop())
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => statesOf(boss)).toEqual(['completed'])
    // A relay that was killed before it marked the task adds it again.
    await queue.add([taskOf('order-1'), taskOf('order-2')], RETRY)
    await expect.poll(() => statesOf(boss)).toEqual(['completed', 'completed'])
    expect(runs).toEqual(['order-1', 'order-2'])
  })

  it('keeps a failed job, which can be retried', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    const attempts: number[] = []
    const run: TaskWorker['run'] = (_task, { attempt }) => {
      attempts.push(attempt)
      return attempt < 3 ? Promise.reject(new Error('no carrier')) : Promise.resolve()
    }
    const work = await queue.work(workerOf({ run }))
    onTestFinished(() => work.stop())
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => statesOf(boss)).toEqual(['failed'])
    const [job] = await boss.findJobs(QUEUE)
    expect(job).toMatchObject({
      data: taskOf('order-1'),
      output: { message: 'no carrier' },
      deleteAfterSeconds: 30 * 24 * 3600,
      retryLimit: 1,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 1,
      heartbeatSeconds: 10,
    })
    await boss.retry(QUEUE, job?.id ?? '')
    await expect.poll(() => statesOf(boss)).toEqual(['completed'])
    expect(attempts).toEqual([1, 2, 3])
  })

  it('runs the jobs of the handlers of the process only', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    const runs: string[] = []
    const run = ({ handler }: QueuedTask): Promise<void> => {
      runs.push(handler)
      return Promise.resolve()
    }
    await queue.add([taskOf('order-1'), taskOf('order-1', 'onPaid.mail')], RETRY)
    const work = await queue.work(workerOf({ run }))
    onTestFinished(() => work.stop())
    await expect.poll(() => statesOf(boss)).toEqual(['completed'])
    expect(await statesOf(boss, 'tonplug/default/onPaid.mail')).toEqual(['created'])
    expect(runs).toEqual(['onPaid.ship'])
  })

  it('resolves stop when no run of the process is left', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isRunning = false
    const run = (): Promise<void> => {
      isRunning = true
      return released
    }
    const work = await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => isRunning).toBe(true)
    let isStopped = false
    const stopped = work.stop().then(() => {
      isStopped = true
    })
    await queue.add([taskOf('order-2')], RETRY)
    expect(isStopped).toBe(false)
    release()
    await stopped
    expect(await statesOf(boss)).not.toContain('active')
    expect(await statesOf(boss)).toContain('completed')
  })

  it('rejects add when the database cannot be reached, and passes the error to onError', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    const errors: unknown[] = []
    const work = await queue.work(workerOf({ onError: (error) => errors.push(error) }))
    await database.db.query('ALTER SCHEMA pgboss RENAME TO away')
    try {
      await expect(queue.add([taskOf('order-1')], RETRY)).rejects.toMatchObject({
        code: 'ERR_TONPLUG_REPOSITORY',
        retryable: true,
      })
      await expect.poll(() => errors).not.toEqual([])
    } finally {
      await database.db.query('ALTER SCHEMA away RENAME TO pgboss')
    }
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => statesOf(boss)).toEqual(['completed'])
    await work.stop()
  })

  it('S111 reports a pg-boss that was never started', async () => {
    const boss = new PgBoss({ connectionString: database.url, max: 1, schedule: false })
    boss.on('error', () => undefined)
    const queue = pgBossQueue(boss)
    await expect(queue.work(workerOf({}))).rejects.toMatchObject({ code: 'ERR_TONPLUG_REPOSITORY' })
    await expect(queue.add([taskOf('order-1')], RETRY)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_REPOSITORY',
    })
    expect(await check(queue)).toBe(
      'pg-boss cannot be reached, or was not started. Call boss.start() before createPayments()',
    )
  })

  it('S111 reports lost jobs and jobs that no process takes, and adds each again once', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    const task = taskOf('order-1')
    await queue.add([task], RETRY)
    expect(await check(queue, [task])).toBeUndefined()
    await database.db.query("UPDATE pgboss.job SET created_on = now() - interval '2 minutes'")
    expect(await check(queue, [task])).toContain('its queues have no worker')
    expect(await queue.addAgain?.(task, RETRY)).toBe('added')
    expect(await statesOf(boss)).toEqual(['created'])
    await database.db.query('DELETE FROM pgboss.job')
    expect(await check(queue, [task])).toContain('pg-boss has lost 1 jobs')
    expect(await queue.addAgain?.(task, RETRY)).toBe('added')
    const runs: string[] = []
    const run = ({ reference }: QueuedTask) => Promise.resolve(void runs.push(reference))
    const work = await queue.work(workerOf({ run }))
    onTestFinished(() => work.stop())
    await expect.poll(() => statesOf(boss)).toEqual(['completed'])
    expect(await queue.addAgain?.(task, RETRY)).toBe('done')
    expect(await check(queue, [task])).toBeUndefined()
    expect(runs).toEqual(['order-1'])
  })

  it('S111 runs a failed job again with all its attempts', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    const attempts: number[] = []
    const run: TaskWorker['run'] = (_task, { attempt }) => {
      attempts.push(attempt)
      return Promise.reject(new Error('no carrier'))
    }
    const work = await queue.work(workerOf({ run }))
    onTestFinished(() => work.stop())
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => statesOf(boss)).toEqual(['failed'])
    expect(await queue.addAgain?.(taskOf('order-1'), RETRY)).toBe('added')
    await expect.poll(() => attempts).toEqual([1, 2, 1, 2])
  })

  it('S88 rejects add within seconds when the database does not respond', async () => {
    const boss = await startBoss()
    const queue = pgBossQueue(boss)
    await queue.add([taskOf('order-1')], RETRY)
    const client = await database.db.connect()
    try {
      await client.query('BEGIN; LOCK TABLE pgboss.job_common')
      await expect(queue.add([taskOf('order-2')], RETRY)).rejects.toMatchObject({
        code: 'ERR_TONPLUG_REPOSITORY',
        retryable: true,
      })
      await client.query('ROLLBACK')
    } finally {
      client.release()
    }
    await queue.add([taskOf('order-2')], RETRY)
    expect(await statesOf(boss)).toEqual(['created', 'created'])
  })
})

it.each([0, -1, Number.NaN])('rejects keepFinishedMs %s', (keepFinishedMs) => {
  const boss = new PgBoss('postgres://127.0.0.1:1')
  expect(() => pgBossQueue(boss, { keepFinishedMs })).toThrow(
    'keepFinishedMs: must be a number of milliseconds above 0',
  )
})

function taskOf(reference: string, handler = 'onPaid.ship'): QueuedTask {
  const task = { name: 'default', merchant: '', handler, reference, txHash: 'a'.repeat(64) }
  return { ...task, reportId: '1', idempotencyKey: JSON.stringify(Object.values(task)) }
}

function workerOf(changes: Partial<TaskWorker>): TaskWorker {
  return {
    name: 'default',
    handlers: ['onPaid.ship'],
    concurrency: 2,
    retry: RETRY,
    run: () => Promise.resolve(),
    onError: () => undefined,
    ...changes,
  }
}

async function statesOf(boss: PgBoss, queue = QUEUE): Promise<string[]> {
  const jobs = await boss.findJobs(queue)
  return jobs.map(({ state }) => state).toSorted()
}

function check(queue: TaskQueue, tasks: QueuedTask[] = []): Promise<string | undefined> {
  const query = { name: 'default', handlers: ['onPaid.ship'], tasks }
  return queue.check?.(query) ?? Promise.resolve(undefined)
}
