import { RepositoryError } from '@tonplug/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { migrations } from '../src/sql/migrations.js'
import { hasPostgres, openPGlite, openPostgres, type TestDatabase } from './databases.js'

const RECEIVER = 'default'
const HANDLER = 'onPaid.mail'

describe(`the reader on ${hasPostgres ? 'PostgreSQL' : 'PGlite'}`, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await (hasPostgres ? openPostgres() : openPGlite())
  })
  afterAll(() => database.close())

  it('makes no tables, unlike the inbox', async () => {
    const reader = postgresInboxReader(database.db)
    expect(await reader.schemaVersion()).toBeUndefined()
    await expect(reader.list({ limit: 1 })).rejects.toThrow(RepositoryError)
    expect(await reader.schemaVersion()).toBeUndefined()
    await migratePostgres(database.db)
    expect(await reader.schemaVersion()).toBe(migrations.length)
  })

  it('puts each delivery into one state', async () => {
    const inbox = postgresInbox(database.db)
    const reader = postgresInboxReader(database.db)
    const store = async (reference: string, receivedAtMs: number) => {
      const { id } = await inbox.store({
        receiver: RECEIVER,
        key: reference,
        reference,
        txHash: 'ab',
        rawBody: '{}',
        signedWith: 'main',
        wasCompletedBefore: false,
        receivedAtMs,
        retryAtMs: receivedAtMs + 30_000,
      })
      return id
    }
    const decide = async (id: string, reference: string, retryAtMs?: number) => {
      const decision = { kind: 'unmatched', reference, txHash: 'ab' } as const
      const tasks = [{ idempotencyKey: reference, handler: HANDLER }]
      await inbox.decide(id, { decision, tasks, retryAtMs })
    }
    const finish = async (outcome: Parameters<typeof inbox.finishTask>[1]) => {
      const claim = { receiver: RECEIVER, handlers: [HANDLER], nowMs: 1, leaseUntilMs: 2, limit: 1 }
      const [task] = await inbox.claimTasks(claim)
      if (task !== undefined) await inbox.finishTask(task, outcome)
    }

    await store('undecided', 1000)
    await decide(await store('dead', 2000), 'dead', 9000)
    await finish({ kind: 'dead', error: 'no' })
    await decide(await store('done', 3000), 'done')
    await finish({ kind: 'done' })
    await decide(await store('open', 4000), 'open')
    const parked = await store('parked', 5000)
    const decision = { kind: 'unmatched', reference: 'parked', txHash: 'ab' } as const
    await inbox.decide(parked, { decision, tasks: [], retryAtMs: 9000 })

    const all = await reader.list({ limit: 10 })
    expect(all.map(({ state, delivery }) => [state, delivery.reference])).toEqual(
      ['parked', 'open', 'done', 'dead', 'undecided'].map((state) => [state, state]),
    )
    for (const entry of all) {
      expect(await reader.list({ state: entry.state, limit: 10 })).toEqual([entry])
      expect(await reader.find(entry.delivery.id)).toEqual(entry)
    }
    expect(all[0]).toMatchObject({ retryAtMs: 9000, handlers: [] })
    const since = await reader.list({ receivedSinceMs: 4000, limit: 10 })
    expect(since.map(({ state }) => state)).toEqual(['parked', 'open'])
  })

  it('lists dead handlers by every filter', async () => {
    const reader = postgresInboxReader(database.db)
    const [dead] = await reader.listDead({})
    expect(dead).toMatchObject({ reference: 'dead', handler: HANDLER, attempts: 1, error: 'no' })
    const deliveryIds = [dead?.deliveryId ?? '', 'nonsense']
    const fits = { reference: 'dead', handler: HANDLER, receiver: RECEIVER, receivedSinceMs: 2000 }
    expect(await reader.listDead({ deliveryIds, ...fits })).toEqual([dead])
    for (const filter of [
      { deliveryIds: [] },
      { reference: 'done' },
      { handler: 'onPaid' },
      { receiver: 'other' },
      { receivedSinceMs: 2001 },
    ]) {
      expect(await reader.listDead(filter)).toEqual([])
    }
  })
})
