import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresCursor } from '../src/postgres-cursor.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import type { Queryable } from '../src/queryable.js'
import { claimReports } from '../src/sql/reports.js'
import { claimRelay, claimTasks, nextDueOf, nextDueOfAll } from '../src/sql/tasks.js'
import type { Statement } from '../src/sql/statement.js'
import { followClock } from './database-clock.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { newReport, POLICY, storePaid, subscribe } from './reports.js'

const START_MS = Date.UTC(2026, 0, 5, 12)
const NAME = { name: 'default' }
const CLAIM = { ...NAME, limits: { onPaid: 10 }, leaseMs: 12_000 }

describeTime('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeTime('PostgreSQL', () => openPostgres())
})

function describeTime(title: string, open: () => Promise<TestDatabase>): void {
  describe(`the time of ${title}`, () => {
    let database: TestDatabase
    let db: Queryable
    let nowMs = START_MS
    beforeAll(async () => {
      database = await open()
      db = await followClock(database.db, { nowMs: () => nowMs })
    })
    afterAll(() => database.close())
    beforeEach(async () => {
      nowMs = START_MS
      await database.clear()
    })

    async function claimTask() {
      const [task] = await postgresInbox(db).tasks.claim(CLAIM)
      if (task === undefined) throw new Error('no task is due')
      return task
    }

    it('S75 keeps a lease until the database’s time has passed it, and fences the claim that lost it', async () => {
      const inbox = postgresInbox(db)
      await subscribe(inbox, ['onPaid'])
      await storePaid(inbox)
      const lost = await claimTask()
      nowMs += 11_999
      expect(await inbox.tasks.claim(CLAIM)).toEqual([])
      expect(await inbox.tasks.extendLease(lost, 12_000)).toBe(true)
      nowMs += 11_999
      expect(await inbox.tasks.claim(CLAIM)).toEqual([])
      nowMs += 1
      const held = await claimTask()
      expect([held.id, held.attempt]).toEqual([lost.id, 2])
      expect(await inbox.tasks.extendLease(lost, 12_000)).toBe(false)
      expect(await inbox.tasks.finish(lost, { kind: 'done' })).toBe(false)
      expect(await inbox.tasks.finish(held, { kind: 'done' })).toBe(true)
    })

    it('extends an expired lease while no other process has claimed the task', async () => {
      const inbox = postgresInbox(db)
      await subscribe(inbox, ['onPaid'])
      await storePaid(inbox)
      const task = await claimTask()
      nowMs += 20_000
      expect(await inbox.tasks.extendLease(task, 12_000)).toBe(true)
      expect(await inbox.tasks.claim(CLAIM)).toEqual([])
    })

    it('returns the time until the next report or task as a duration', async () => {
      const inbox = postgresInbox(db)
      await subscribe(inbox, ['onPaid'])
      expect(await inbox.processes.nextDueInMs(NAME)).toBeUndefined()
      const { id } = await inbox.reports.store(newReport({ retryInMs: 30_000 }))
      expect(await inbox.processes.nextDueInMs(NAME)).toBe(30_000)
      nowMs += 10_000
      expect(await inbox.processes.nextDueInMs({ ...NAME, handlers: [] })).toBe(20_000)
      await inbox.reports.postpone(id, 60_000)
      await storePaid(inbox)
      expect(await inbox.processes.nextDueInMs({ ...NAME, handlers: ['onFailed'] })).toBe(60_000)
      expect(await inbox.processes.nextDueInMs({ ...NAME, handlers: ['onFailed', 'onPaid'] })).toBe(
        0,
      )
      const task = await claimTask()
      expect(await inbox.processes.nextDueInMs(NAME)).toBe(12_000)
      await inbox.tasks.finish(task, { kind: 'retry', retryInMs: 500, error: 'busy' })
      expect(await inbox.processes.nextDueInMs(NAME)).toBe(500)
      nowMs += 100_000
      expect(await inbox.processes.nextDueInMs(NAME)).toBe(0)
    })

    it('measures the age of the oldest open work', async () => {
      const inbox = postgresInbox(db)
      expect((await inbox.stats()).oldestOpenAgeMs).toBeUndefined()
      const { receivedAtMs } = await inbox.reports.store(newReport())
      expect(receivedAtMs).toBe(START_MS)
      nowMs += 90_000
      expect((await inbox.stats()).oldestOpenAgeMs).toBe(90_000)
    })

    it('deletes reports by their age', async () => {
      const inbox = postgresInbox(db)
      await storePaid(inbox)
      nowMs += 86_400_000
      const query = { ...NAME, olderThanMs: 86_400_000, limit: 10 }
      expect(await inbox.reports.forget(query)).toBe(0)
      nowMs += 1
      expect(await inbox.reports.forget(query)).toBe(1)
    })

    it('lets one watcher at a time hold a cursor', async () => {
      const one = postgresCursor(db)
      const other = postgresCursor(db)
      expect(await one.acquire(30_000)).toBe(true)
      expect(await other.acquire(30_000)).toBe(false)
      expect(await postgresCursor(db, { name: 'wholesale' }).acquire(30_000)).toBe(true)
      nowMs += 29_999
      expect(await other.acquire(30_000)).toBe(false)
      expect(await one.acquire(30_000)).toBe(true)
      nowMs += 30_000
      expect(await other.acquire(30_000)).toBe(true)
      await one.release()
      expect(await one.acquire(30_000)).toBe(false)
      await other.release()
      expect(await one.acquire(30_000)).toBe(true)
      expect(await other.load()).toBeUndefined()
      await one.save('position')
      expect(await other.load()).toBe('position')
      expect(await other.acquire(30_000)).toBe(false)
    })

    it('S112 stores no position of a watcher that has lost the lease of its cursor', async () => {
      const lost = postgresCursor(db)
      const next = postgresCursor(db)
      expect(await lost.acquire(12_000)).toBe(true)
      await lost.save('of the first holder')
      nowMs += 12_000
      await lost.save('after the lease has expired')
      expect(await next.load()).toBe('after the lease has expired')
      expect(await next.acquire(12_000)).toBe(true)
      await lost.save('lost')
      await next.save('of the next holder')
      await lost.save('lost')
      await next.release()
      await lost.save('lost')
      expect(await lost.load()).toBe('of the next holder')
    })

    it('S112 stores the position of a run without the lease while no other watcher holds it', async () => {
      const holder = postgresCursor(db)
      const run = postgresCursor(db)
      await run.save('before')
      expect(await holder.acquire(12_000)).toBe(true)
      await run.save('in the meantime')
      expect(await run.load()).toBe('before')
      nowMs += 12_000
      await run.save('after the lease')
      expect(await run.load()).toBe('after the lease')
      await holder.save('of the holder')
      await holder.release()
      await run.save('after the release')
      expect(await run.load()).toBe('after the release')
    })
  })
}

describe(`due times on ${hasPostgres ? 'PostgreSQL' : 'PGlite'}`, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await (hasPostgres ? openPostgres(1) : openPGlite())
    await subscribe(postgresInbox(database.db), ['onPaid', 'onPaid.mail'])
    await database.db.query(`INSERT INTO tonplug.reports
        (name, merchant, key_hash, source, signed_with, reference, tx_hash, raw_body, payments,
        was_completed_before, received_at, state, retry_at)
      SELECT 'default', '', sha256(n::text::bytea), 'webhook', '', n::text, '', '', '[]', false,
        tonplug.now(), 'parked', tonplug.now() + interval '1 hour'
      FROM generate_series(1, 5000) AS n`)
    await database.db.query(`INSERT INTO tonplug.tasks
        (report_id, name, merchant, handler, idempotency_key, key_hash, due_at)
      SELECT id, name, merchant, 'onPaid', reference, key_hash, retry_at FROM tonplug.reports`)
    await database.db.query('ANALYZE tonplug.reports, tonplug.tasks, tonplug.policies')
  })
  afterAll(() => database.close())

  const scan = (index: string, condition = ''): RegExp =>
    new RegExp(`Index (Only )?Scan using ${index} [^]*?${condition}`)
  it.each<[string, RegExp, Statement, string[]]>([
    [
      'reports',
      scan('reports_due', 'Index Cond: .*retry_at <= '),
      claimReports,
      ['default', POLICY, '1', '10'],
    ],
    [
      'tasks',
      scan('tasks_due', 'Index Cond: .*due_at <= '),
      claimTasks,
      ['default', '1', 'a', '{"onPaid":8,"onPaid.mail":8}'],
    ],
    [
      'tasks of all handlers',
      scan('tasks_relay', 'Index Cond: .*due_at <= '),
      claimRelay,
      ['default', '1', 'a', '8'],
    ],
    ['the next task of a handler', scan('tasks_due'), nextDueOf, ['default', '["onPaid"]']],
    ['the next task of all', scan('tasks_relay'), nextDueOfAll, ['default']],
    ['the next report', scan('reports_due'), nextDueOfAll, ['default']],
  ])('are found by an index for %s', async (_, index, { text }, values) => {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await database.db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
      const { rows } = await database.db.query(`EXPLAIN ${text}`, values)
      const plan = (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(index)
    }
  })
})
