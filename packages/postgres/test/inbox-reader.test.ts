import { RepositoryError, type Inbox } from '@tonplug/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import type { Queryable } from '../src/queryable.js'
import { migrations } from '../src/sql/migrations.js'
import { followClock } from './database-clock.js'
import { hasPostgres } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { newReport } from './reports.js'

const HANDLER = 'onPaid.mail'

describe(`the reader on ${hasPostgres ? 'PostgreSQL' : 'PGlite'}`, () => {
  let database: TestDatabase
  let db: Queryable
  let nowMs = 1000
  beforeAll(async () => {
    database = await (hasPostgres ? openPostgres() : openPGlite())
  })
  afterAll(() => database.close())

  it('creates no tables, unlike the inbox', async () => {
    const reader = postgresInboxReader(database.db)
    expect(await reader.schemaVersion()).toBeUndefined()
    await expect(reader.list({ limit: 1 })).rejects.toThrow(RepositoryError)
    expect(await reader.schemaVersion()).toBeUndefined()
    await migratePostgres(database.db)
    expect(await reader.schemaVersion()).toBe(migrations.length)
  })

  it('gives each report one state', async () => {
    db = await followClock(database.db, { nowMs: () => nowMs })
    const inbox = postgresInbox(db)
    const reader = postgresInboxReader(db)
    const store = async (reference: string, problem?: string) => {
      const report = newReport({ reference, problem, merchant: `shop of ${reference}` })
      const { id } = await inbox.reports.store(report)
      nowMs += 1000
      return id
    }
    const decide = async (reference: string, retryInMs?: number) => {
      const id = await store(reference)
      const decision = { kind: 'unknown_order', reference, txHash: 'ab' } as const
      const tasks = [{ idempotencyKey: reference, handler: HANDLER }]
      await inbox.reports.decide(id, {
        decision,
        tasks: retryInMs === undefined ? tasks : [],
        retryInMs,
      })
    }
    const finish = async (outcome: Parameters<Inbox['tasks']['finish']>[1]) => {
      const claim = { name: 'default', limits: { [HANDLER]: 1 }, leaseMs: 1000 }
      const [task] = await inbox.tasks.claim(claim)
      if (task !== undefined) await inbox.tasks.finish(task, outcome)
    }

    await store('undecided')
    await decide('dead')
    await finish({ kind: 'dead', error: 'no' })
    await decide('done')
    await finish({ kind: 'done' })
    await decide('relayed')
    await finish({ kind: 'relayed' })
    await decide('open')
    await store('unreadable', 'date is missing')
    await decide('parked', 5000)

    const all = await reader.list({ limit: 10 })
    expect(all.map(({ state, report }) => [state, report.reference])).toEqual(
      ['parked', 'unreadable', 'open', 'relayed', 'done', 'dead', 'undecided'].map((state) => [
        state,
        state,
      ]),
    )
    for (const entry of all) {
      expect(await reader.list({ state: entry.state, limit: 10 })).toEqual([entry])
      expect(await reader.find(entry.report.id)).toEqual(entry)
    }
    expect(all[0]).toMatchObject({ retryAtMs: nowMs + 5000, handlers: [] })
    expect(all[1]?.report.problem).toBe('date is missing')
    const since = await reader.list({ receivedSinceMs: 6000, limit: 10 })
    expect(since.map(({ state }) => state)).toEqual(['parked', 'unreadable'])
    const [open] = await reader.list({ merchant: 'shop of open', limit: 10 })
    expect(open).toEqual(all[2])
    expect(await reader.list({ name: 'other', limit: 10 })).toEqual([])
    expect(await reader.names()).toEqual(['default'])
  })

  it('lists dead handlers by every filter', async () => {
    const reader = postgresInboxReader(db)
    const [dead] = await reader.listDeadLetters({})
    expect(dead).toMatchObject({
      name: 'default',
      reference: 'dead',
      handler: HANDLER,
      error: 'no',
    })
    const reportIds = [dead?.reportId ?? '', 'nonsense']
    const matching = {
      name: 'default',
      merchant: 'shop of dead',
      reference: 'dead',
      handler: HANDLER,
      receivedSinceMs: 2000,
    }
    expect(await reader.listDeadLetters({ reportIds, ...matching })).toEqual([dead])
    for (const filter of [
      { reportIds: [] },
      { reference: 'done' },
      { merchant: '' },
      { handler: 'onPaid' },
      { name: 'other' },
      { receivedSinceMs: 2001 },
    ]) {
      expect(await reader.listDeadLetters(filter)).toEqual([])
    }
  })
})
