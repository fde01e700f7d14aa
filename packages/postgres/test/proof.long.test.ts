import type { PaymentProof, ProofVerdict, UnverifiedDecision } from '@tonplug/core'
import { createManualClock, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import {
  hasPostgres,
  NEEDS_POSTGRES,
  openPGlite,
  openPostgres,
  type TestDatabase,
} from './databases.js'
import { closeShop, count, openShop, ORDER, transfer } from './shop.js'

const HOUR_MS = 3_600_000
const recipients = [transferCompleted().data.recipientAddr]

describeProofs('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeProofs('PostgreSQL', () => openPostgres(50))
})

/** A chain that shows a payment of its own for each transaction, unless it is told otherwise. */
function scriptedProof(verdict: { current?: ProofVerdict | undefined } = {}): PaymentProof {
  return {
    deadlineMs: HOUR_MS,
    prove: ({ transfer: { txHash, rawAmount } }) =>
      Promise.resolve(
        verdict.current ?? {
          kind: 'proven',
          payments: [{ message: txHash, credits: [txHash], amount: BigInt(rawAmount) }],
        },
      ),
  }
}

const UNSEEN: ProofVerdict = { kind: 'unsettled', reason: 'not_found', detail: 'nothing there' }

function describeProofs(name: string, open: () => Promise<TestDatabase>): void {
  describe(`verifyOnChain on ${name}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    it('S54 completes the order when its payment is proven, and not before', async () => {
      const verdict: { current?: ProofVerdict | undefined } = { current: UNSEEN }
      const shop = openShop(database.db, { recipients, verifyOnChain: scriptedProof(verdict) })
      await shop.orders.create(ORDER)
      expect(await shop.send()).toMatchObject({ status: 200, decision: { kind: 'verifying' } })
      await shop.clock.advance(60_000)
      expect((await shop.orders.findByReference('order-1'))?.status).toBe('pending')
      // A proof that goes on is no handler that waits: health would take every server for down.
      const stats = await postgresInbox(database.db).stats()
      expect(stats).toMatchObject({ parked: 1, open: 0, oldestOpenMs: undefined })
      expect((await shop.send()).decision.kind).toBe('verifying')

      verdict.current = undefined
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect((await shop.orders.findByReference('order-1'))?.status).toBe('completed')
      expect(
        await count(database.db, 'deliveries', "decision->'proof'->>'credited' = '10500000000'"),
      ).toBe(1)
      expect((await shop.send()).decision).toMatchObject({ kind: 'duplicate', first: 'paid' })
    })

    it('S55 gives up at the deadline, whichever server is there, and pays when a replay proves it', async () => {
      const clock = createManualClock()
      const verdict: { current?: ProofVerdict | undefined } = { current: UNSEEN }
      const told: [string, number][] = []
      const startMs = clock.nowMs()
      const openServer = () =>
        openShop(database.db, {
          clock,
          recipients,
          verifyOnChain: scriptedProof(verdict),
          onUnverified: ({ decision }) =>
            void told.push([decision.reason, clock.nowMs() - startMs]),
        })
      const first = openServer()
      await first.orders.create(ORDER)
      await first.send()
      await first.clock.advance(HOUR_MS / 2)
      await closeShop(first)
      const second = openServer()
      await second.advanceUntil(() => told.length > 0, 10_000)
      expect(told[0]?.[0]).toBe('not_found')
      expect(told[0]?.[1]).toBeGreaterThanOrEqual(HOUR_MS)
      expect(told[0]?.[1]).toBeLessThan(HOUR_MS + 60_000)
      expect((await second.orders.findByReference('order-1'))?.status).toBe('pending')

      verdict.current = undefined
      const inbox = postgresInbox(database.db)
      await second.advanceUntil(async () => (await inbox.listDead({ limit: 1 })).length > 0)
      expect(await inbox.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
      await second.advanceUntil(() => second.runs.length > 0)
      expect((await second.orders.findByReference('order-1'))?.status).toBe('completed')
      expect(told).toHaveLength(1)
    })

    it('S58 ships nothing twice when a proof is replayed long after another delivery paid', async () => {
      const verdict: { current?: ProofVerdict | undefined } = { current: UNSEEN }
      const verifyOnChain = { ...scriptedProof(verdict), deadlineMs: 10_000 }
      const shop = openShop(database.db, { recipients, verifyOnChain })
      const inbox = postgresInbox(database.db)
      await shop.orders.create(ORDER)
      await shop.send(transferCompleted({ senderAddr: recipients[0] ?? '' }))
      await shop.advanceUntil(async () => (await inbox.listDead({ limit: 1 })).length > 0)
      verdict.current = undefined
      await shop.send()
      await shop.advanceUntil(() => shop.runs.length > 0)
      await closeShop(shop)

      const startMs = shop.clock.nowMs() + 48 * HOUR_MS
      const retentionMs = 24 * HOUR_MS
      const clock = createManualClock({ startMs })
      const later = openShop(database.db, { clock, recipients, verifyOnChain, retentionMs })
      await later.advanceUntil(() => clock.nowMs() > startMs)
      expect(await inbox.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
      const isOpen = "state <> 'done'"
      await later.advanceUntil(
        async () => (await count(database.db, 'handler_tasks', isOpen)) === 0,
      )
      expect(await count(database.db, 'deliveries', "decision->>'kind' = 'paid'")).toBe(2)
      expect(shop.runs.length + later.runs.length).toBe(1)
      await later.advanceUntil(
        async () => (await count(database.db, 'deliveries')) === 0,
        HOUR_MS / 4,
      )
    })

    it('tells somebody when a replayed proof comes too late for its order', async () => {
      const verdict: { current?: ProofVerdict | undefined } = { current: UNSEEN }
      const verifyOnChain = { ...scriptedProof(verdict), deadlineMs: 10_000 }
      const shop = openShop(database.db, { recipients, verifyOnChain })
      const inbox = postgresInbox(database.db)
      await shop.orders.create(ORDER)
      await shop.send()
      await shop.advanceUntil(async () => (await inbox.listDead({ limit: 1 })).length > 0)
      await shop.orders.cancel('order-1')
      verdict.current = undefined
      await inbox.replayWhere({})
      await shop.advanceUntil(async () => (await inbox.listDead({ limit: 1 })).length > 0)
      const [dead] = await inbox.listDead({ limit: 1 })
      expect(dead?.error).toContain('the rules say paid_after_cancel by now')
      expect(shop.runs).toEqual([])
    })

    it('pays on time what expires while its proof goes on, and counts looks, not claims', async () => {
      const verdict: { current?: ProofVerdict | undefined } = { current: UNSEEN }
      const shop = openShop(database.db, { recipients, verifyOnChain: scriptedProof(verdict) })
      await shop.orders.create(ORDER)
      await shop.send()
      const hasLooked = "(decision->>'looks')::int = 3"
      await shop.advanceUntil(async () => (await count(database.db, 'deliveries', hasLooked)) > 0)
      expect(await shop.orders.expire('order-1')).toBe(true)
      verdict.current = undefined
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect(await shop.orders.findByReference('order-1')).toMatchObject({
        status: 'completed',
        payment: { late: false },
      })
    })

    it('leaves what waited for a proof that was switched off to somebody, and pays it once proven', async () => {
      const options = { recipients, verifyOnChain: scriptedProof({ current: UNSEEN }) }
      const before = openShop(database.db, options)
      await before.orders.create(ORDER)
      expect((await before.send()).decision.kind).toBe('verifying')
      await before.advanceUntil(async () => (await count(database.db, 'handler_tasks')) > 0)
      await closeShop(before)
      const { clock } = before
      const told: string[] = []
      const onUnverified = ({ decision }: { decision: UnverifiedDecision }) =>
        void told.push(decision.reason)
      const off = openShop(database.db, { clock, recipients, onUnverified })
      const inbox = postgresInbox(database.db)
      await off.advanceUntil(() => told.length > 0, 30_000)
      await off.advanceUntil(async () => (await inbox.listDead({ limit: 1 })).length > 0)
      expect(told).toEqual(['not_asked'])
      expect((await off.orders.findByReference('order-1'))?.status).toBe('pending')
      await closeShop(off)

      const on = openShop(database.db, { clock, recipients, verifyOnChain: scriptedProof() })
      expect(await inbox.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
      await on.advanceUntil(() => on.runs.length > 0)
      expect([before.runs, off.runs]).toEqual([[], []])
    })

    it('pays one of twenty orders that claim one payment on two servers at once', async () => {
      const clock = createManualClock()
      const same: ProofVerdict = {
        kind: 'proven',
        payments: [{ message: 'm', credits: ['m'], amount: 1n }],
      }
      const told: string[] = []
      const [first, second] = [0, 1].map(() =>
        openShop(database.db, {
          clock,
          recipients,
          verifyOnChain: scriptedProof({ current: same }),
          onUnverified: ({ decision }) => void told.push(decision.reason),
        }),
      ) as [ReturnType<typeof openShop>, ReturnType<typeof openShop>]
      const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)
      for (const reference of references) await first.orders.create({ ...ORDER, reference })
      await Promise.all(
        references.map((reference, index) =>
          (index % 2 === 0 ? first : second).send(transferCompleted({ reference })),
        ),
      )
      await first.advanceUntil(() => told.length >= 19)
      await second.advanceUntil(() => first.runs.length + second.runs.length > 0)
      expect(told).toEqual(Array.from({ length: 19 }, () => 'reused'))
      expect(first.runs.length + second.runs.length).toBe(1)
      expect(await count(database.db, 'orders', "status = 'completed'")).toBe(1)
      expect(await count(database.db, 'payments')).toBe(1)
    })

    it('S39 completes each order once when two servers prove', async () => {
      const clock = createManualClock()
      const shops = [0, 1].map(() =>
        openShop(database.db, { clock, recipients, verifyOnChain: scriptedProof() }),
      )
      const [first, second] = shops as [ReturnType<typeof openShop>, ReturnType<typeof openShop>]
      await first.orders.create(ORDER)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second).send()),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      await first.advanceUntil(() => first.runs.length + second.runs.length > 0)
      await second.advanceUntil(() => first.runs.length + second.runs.length > 0)
      expect(first.runs.length + second.runs.length).toBe(1)
      expect(await count(database.db, 'deliveries')).toBe(1)
      expect(await count(database.db, 'handler_tasks', "handler = 'verifyOnChain'")).toBe(1)
    })

    it('takes a payment whose transition was made before the process died for proven', async () => {
      const shop = openShop(database.db, {
        recipients,
        verifyOnChain: scriptedProof({ current: UNSEEN }),
      })
      await shop.orders.create(ORDER)
      const payload = transfer(7)
      expect((await shop.send(payload)).decision.kind).toBe('verifying')
      const { data } = payload as ReturnType<typeof transferCompleted>
      const payment = { ...data, rawAmount: BigInt(data.rawAmount), late: false }
      expect(await shop.orders.complete('order-1', payment)).toBe('applied')
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect(await count(database.db, 'deliveries', "decision->>'kind' = 'paid'")).toBe(1)
    })

    it('keeps the hash of the body that an order expects', async () => {
      const shop = openShop(database.db)
      const { bodyBase64Hash } = transferCompleted().data
      await shop.orders.create({ ...ORDER, bodyBase64Hash })
      expect(await shop.orders.findByReference('order-1')).toMatchObject({ bodyBase64Hash })
    })
  })
}
