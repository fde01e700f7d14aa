import { handlerTaskKey } from '@tonplug/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { newReport, paid, POLICY, storePaid, subscribe } from './reports.js'

describeSubscriptions('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeSubscriptions('PostgreSQL', () => openPostgres())
})

const CLAIM = { name: 'default', limits: { onPaid: 10, 'onPaid.mail': 10 }, leaseMs: 12_000 }

function describeSubscriptions(title: string, open: () => Promise<TestDatabase>): void {
  describe(`subscriptions on ${title}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    it.each([
      ['plain text', { merchant: 'shop', reference: 'order-1', txHash: 'ab' }],
      ['separators', { merchant: '","', reference: 'a:b/c,d', txHash: '[]' }],
      ['quotes and backslashes', { merchant: '"\\"', reference: '\\u0041', txHash: "'/\\/" }],
      ['unicode', { merchant: 'магазин', reference: '💎\u2028\u2029é', txHash: 'e\u0301\ufeff' }],
      [
        'control characters',
        {
          merchant: '\b\f\n\r\t',
          reference: String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1)),
          txHash: '\u007f\u0080\u009f',
        },
      ],
      ['characters that cannot be stored', { merchant: '', reference: 'a\0b\ud800', txHash: '' }],
    ])('S83 S125 gives tasks the idempotency key of core for %s', async (_, facts) => {
      const inbox = postgresInbox(database.db)
      await subscribe(inbox, ['onPaid', 'onPaid.mail'])
      const report = await storePaid(inbox, facts)
      const tasks = await inbox.tasks.claim(CLAIM)
      expect(tasks.map(({ handler }) => handler).sort()).toEqual(['onPaid', 'onPaid.mail'])
      for (const { handler, idempotencyKey } of tasks) {
        expect(idempotencyKey).toBe(handlerTaskKey(handler, report))
        expect(idempotencyKey).toMatch(/^[\w-]{43}$/)
      }
    })

    it('S69 schedules a new handler for reports that an older process decides', async () => {
      const older = postgresInbox(database.db)
      await subscribe(older, ['onPaid'])
      await storePaid(older, { reference: 'order-1' })
      const newer = postgresInbox(database.db)
      await subscribe(newer, ['onPaid', 'onPaid.mail'])
      await storePaid(older, { reference: 'order-2' })
      const tasks = await newer.tasks.claim(CLAIM)
      const scheduled = tasks.map(({ handler, reference }) => `${handler} ${reference}`).sort()
      expect(scheduled).toEqual(['onPaid order-1', 'onPaid order-2', 'onPaid.mail order-2'])
    })

    it('S68 schedules the handlers of other processes', async () => {
      await subscribe(postgresInbox(database.db), ['onPaid'])
      await storePaid(postgresInbox(database.db))
      expect(await postgresInbox(database.db).tasks.claim(CLAIM)).toHaveLength(1)
    })

    it('S67 schedules no handler of another name', async () => {
      const inbox = postgresInbox(database.db)
      await subscribe(inbox, ['onPaid'], 'retail')
      await subscribe(inbox, ['onPaid'], 'wholesale')
      await storePaid(inbox, { name: 'retail' })
      expect(await inbox.tasks.claim({ ...CLAIM, name: 'wholesale' })).toEqual([])
      expect(await inbox.tasks.claim({ ...CLAIM, name: 'retail' })).toHaveLength(1)
    })

    it('ends a subscription that is not renewed, and schedules its handler no more', async () => {
      const inbox = postgresInbox(database.db)
      await subscribe(inbox, ['onPaid', 'onPaid.mail'])
      await database.db.query('UPDATE tonplug.subscriptions SET expires_at = now()')
      await subscribe(inbox, ['onPaid'])
      await storePaid(inbox)
      const tasks = await inbox.tasks.claim(CLAIM)
      expect(tasks.map(({ handler }) => handler)).toEqual(['onPaid'])
    })

    it('deletes the open tasks of a handler that is unsubscribed', async () => {
      const inbox = postgresInbox(database.db)
      await subscribe(inbox, ['onPaid', 'onPaid.mail'])
      await storePaid(inbox)
      const mail = { name: 'default', handler: 'onPaid.mail' }
      expect(await inbox.processes.unsubscribe(mail)).toBe(true)
      expect(await inbox.processes.unsubscribe(mail)).toBe(false)
      const tasks = await inbox.tasks.claim(CLAIM)
      expect(tasks.map(({ handler }) => handler)).toEqual(['onPaid'])
    })

    it('S70 gives reports only to processes with the pinned policy', async () => {
      const inbox = postgresInbox(database.db)
      const register = (policy: string) =>
        inbox.processes.register({
          name: 'default',
          policy,
          policyTtlMs: 30_000,
          handlers: [],
          subscriptionTtlMs: 1000,
        })
      const claim = async (policy: string) => {
        const query = { name: 'default', policy, retryInMs: 0, limit: 10 }
        return (await inbox.reports.claim(query)).length
      }
      await inbox.reports.store(newReport({ retryInMs: 0 }))
      expect(await claim('strict')).toBe(0)
      expect(await register('strict')).toEqual({ policy: 'strict' })
      expect(await register('lax')).toEqual({ policy: 'strict' })
      expect([await claim('lax'), await claim('strict')]).toEqual([0, 1])
      const age = (seconds: number) =>
        database.db.query(
          `UPDATE tonplug.policies SET last_seen = now() - interval '${seconds} seconds'`,
        )
      await age(29)
      expect(await register('lax')).toEqual({ policy: 'strict' })
      await age(31)
      expect(await register('lax')).toEqual({ policy: 'lax' })
      expect(await register('strict')).toEqual({ policy: 'lax' })
      expect([await claim('strict'), await claim('lax')]).toEqual([0, 1])
    })

    it('adds a further task with the key that it is given', async () => {
      const inbox = postgresInbox(database.db)
      const report = await inbox.reports.store(newReport())
      const tasks = [{ handler: 'verifyOnChain', idempotencyKey: 'proof 💎' }]
      await inbox.reports.decide(report.id, { decision: paid(report), tasks, retryInMs: 1000 })
      const [task] = await inbox.tasks.claim({ ...CLAIM, limits: { verifyOnChain: 1 } })
      expect(task).toMatchObject({ ...tasks[0], reportId: report.id, attempt: 1 })
      expect(await inbox.tasks.claimRelay({ name: 'default', leaseMs: 1000, limit: 10 })).toEqual(
        [],
      )
    })

    it('keeps the policy of a registration without handlers', async () => {
      await subscribe(postgresInbox(database.db), [])
      expect(await subscribe(postgresInbox(database.db), ['onPaid'])).toEqual({ policy: POLICY })
    })
  })
}
