import type { PaymentVerifier, VerificationResult, DecisionOf } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { count } from './rows.js'
import {
  closeShop,
  openShop,
  ORDER,
  transfer,
  transferFor,
  withClock,
  type ClockedDatabase,
  type Shop,
} from './shop.js'

const HOUR_MS = 3_600_000
const DEADLINE_MS = 600_000
const wallets = [transferCompleted().data.recipientAddr]

describeProofs('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeProofs('PostgreSQL', () => openPostgres(20))
})

/** A proof that finds a payment for each transaction, unless a verdict is given. */
function scriptedProof(
  verdict: { current?: VerificationResult | undefined } = {},
): PaymentVerifier {
  return {
    deadlineMs: DEADLINE_MS,
    verify: ({ transfer: { txHash, rawAmount } }) =>
      Promise.resolve(
        verdict.current ?? {
          kind: 'verified',
          payments: [
            {
              message: txHash,
              credits: [txHash],
              amount: BigInt(rawAmount),
              utime: 1_700_000_000,
              transactions: [txHash],
            },
          ],
        },
      ),
  }
}

const UNSEEN: VerificationResult = {
  kind: 'pending',
  reason: 'not_found',
  detail: 'no transaction was found',
}

function describeProofs(name: string, openTest: () => Promise<TestDatabase>): void {
  describe(`verifyOnChain on ${name}`, () => {
    let database: ClockedDatabase
    beforeAll(async () => {
      database = await withClock(await openTest())
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    const open = (options: Partial<Parameters<typeof openShop>[1]> = {}): Shop =>
      openShop(database.timed, { clock: database.clock, ...options })

    /** Leases would expire if the clock moved while the other server is busy. */
    const advanceBoth = (
      [first, second]: readonly [Shop, Shop],
      isDone: () => boolean,
    ): Promise<void> =>
      first.advanceUntil(async () => {
        await second.quiet()
        return isDone()
      })

    it('S54 completes the order only when its payment is proven', async () => {
      const verdict: { current?: VerificationResult | undefined } = { current: UNSEEN }
      const shop = open({ wallets, verifyOnChain: scriptedProof(verdict) })
      await shop.orders.create(ORDER)
      expect(await shop.send()).toMatchObject({ status: 200, decision: { kind: 'verifying' } })
      await shop.clock.advance(60_000)
      expect((await shop.orders.find(ORDER))?.status).toBe('pending')
      // A proof in progress is not an open handler task, which could make every server unhealthy.
      const stats = await postgresInbox(database.timed).stats()
      expect(stats).toMatchObject({ parked: 1, open: 0, oldestOpenAgeMs: undefined })
      expect((await shop.send()).decision.kind).toBe('verifying')

      verdict.current = undefined
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect((await shop.orders.find(ORDER))?.status).toBe('completed')
      expect(
        await count(database.db, 'reports', "decision->'proof'->>'credited' = '10500000000'"),
      ).toBe(1)
      expect((await shop.send()).decision).toMatchObject({ kind: 'duplicate', first: 'paid' })
    })

    it('S55 is unverified at the deadline on any server, and pays when a replay proves it', async () => {
      const { clock } = database
      const verdict: { current?: VerificationResult | undefined } = { current: UNSEEN }
      const reported: [string, number][] = []
      const startMs = clock.nowMs()
      const openServer = () =>
        open({
          wallets,
          verifyOnChain: scriptedProof(verdict),
          onUnverified: ({ decision }) =>
            void reported.push([decision.reason, clock.nowMs() - startMs]),
        })
      const first = openServer()
      await first.orders.create(ORDER)
      await first.send()
      await first.clock.advance(DEADLINE_MS / 2)
      await closeShop(first)
      const second = openServer()
      await second.advanceUntil(() => reported.length > 0, 2000)
      expect(reported[0]?.[0]).toBe('not_found')
      expect(reported[0]?.[1]).toBeGreaterThanOrEqual(DEADLINE_MS)
      expect(reported[0]?.[1]).toBeLessThan(DEADLINE_MS + 60_000)
      expect((await second.orders.find(ORDER))?.status).toBe('pending')

      const inbox = postgresInbox(database.timed)
      await second.advanceUntil(async () => (await inbox.tasks.listDead({ limit: 1 })).length > 0)
      verdict.current = undefined
      expect(await inbox.tasks.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
      await second.advanceUntil(() => second.runs.length > 0)
      expect((await second.orders.find(ORDER))?.status).toBe('completed')
      expect(reported).toHaveLength(1)
    })

    it('S58 runs onPaid once when a proof is replayed long after another delivery paid', async () => {
      const verdict: { current?: VerificationResult | undefined } = { current: UNSEEN }
      const verifyOnChain = { ...scriptedProof(verdict), deadlineMs: 10_000 }
      const shop = open({ wallets, verifyOnChain })
      const inbox = postgresInbox(database.timed)
      await shop.orders.create(ORDER)
      await shop.send(transferCompleted({ senderAddr: wallets[0] ?? '' }))
      await shop.advanceUntil(async () => (await inbox.tasks.listDead({ limit: 1 })).length > 0)
      verdict.current = undefined
      await shop.send()
      await shop.advanceUntil(() => shop.runs.length > 0)
      await closeShop(shop)

      const { clock } = database
      await clock.advance(48 * HOUR_MS)
      const startMs = clock.nowMs()
      const retentionMs = 24 * HOUR_MS
      const later = open({ wallets, verifyOnChain, retentionMs })
      await later.advanceUntil(() => clock.nowMs() > startMs)
      expect(await inbox.tasks.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
      const isOpen = "state <> 'done'"
      await later.advanceUntil(async () => (await count(database.db, 'tasks', isOpen)) === 0)
      expect(await count(database.db, 'reports', "decision->>'kind' = 'paid'")).toBe(2)
      expect(shop.runs.length + later.runs.length).toBe(1)
      await later.advanceUntil(async () => (await count(database.db, 'reports')) === 0, HOUR_MS / 4)
    })

    it('makes a replayed proof a dead letter when its order was cancelled', async () => {
      const verdict: { current?: VerificationResult | undefined } = { current: UNSEEN }
      const verifyOnChain = { ...scriptedProof(verdict), deadlineMs: 10_000 }
      const shop = open({ wallets, verifyOnChain })
      const inbox = postgresInbox(database.timed)
      await shop.orders.create(ORDER)
      await shop.send()
      await shop.advanceUntil(async () => (await inbox.tasks.listDead({ limit: 1 })).length > 0)
      await shop.orders.cancel('order-1')
      verdict.current = undefined
      await inbox.tasks.replayWhere({})
      await shop.advanceUntil(async () => (await inbox.tasks.listDead({ limit: 1 })).length > 0)
      const [dead] = await inbox.tasks.listDead({ limit: 1 })
      expect(dead?.error).toContain('the rules now say paid_after_cancel')
      expect(shop.runs).toEqual([])
    })

    it('does not mark a payment as late when its order expires during the proof', async () => {
      const verdict: { current?: VerificationResult | undefined } = { current: UNSEEN }
      const shop = open({ wallets, verifyOnChain: scriptedProof(verdict) })
      await shop.orders.create(ORDER)
      await shop.send()
      const hasLooked = "(decision->>'looks')::int = 3"
      await shop.advanceUntil(async () => (await count(database.db, 'reports', hasLooked)) > 0)
      expect(await shop.orders.expire('order-1')).toBe(true)
      verdict.current = undefined
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect(await shop.orders.find(ORDER)).toMatchObject({
        status: 'completed',
        payment: { isLate: false },
      })
    })

    it('reports payments as unverified when proofs are disabled, and pays them once proven', async () => {
      const options = { wallets, verifyOnChain: scriptedProof({ current: UNSEEN }) }
      const before = open(options)
      await before.orders.create(ORDER)
      expect((await before.send()).decision.kind).toBe('verifying')
      await before.advanceUntil(async () => (await count(database.db, 'tasks')) > 0)
      await closeShop(before)
      const reported: string[] = []
      const onUnverified = ({ decision }: { decision: DecisionOf<'unverified'> }) =>
        void reported.push(decision.reason)
      const off = open({ wallets, onUnverified })
      const inbox = postgresInbox(database.timed)
      await off.advanceUntil(() => reported.length > 0, 30_000)
      await off.advanceUntil(async () => (await inbox.tasks.listDead({ limit: 1 })).length > 0)
      // A handler that outlasts its lease on a busy machine runs again.
      expect([...new Set(reported)]).toEqual(['not_asked'])
      expect((await off.orders.find(ORDER))?.status).toBe('pending')
      await closeShop(off)

      const on = open({ wallets, verifyOnChain: scriptedProof() })
      expect(await inbox.tasks.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
      await on.advanceUntil(() => on.runs.length > 0)
      expect([before.runs, off.runs]).toEqual([[], []])
    })

    it('S82 pays one of twenty orders that claim one payment concurrently on two servers', async () => {
      const same: VerificationResult = {
        kind: 'verified',
        payments: [
          { message: 'm', credits: ['m'], amount: 1n, utime: 1_700_000_000, transactions: ['m'] },
        ],
      }
      const reported: string[] = []
      const [first, second] = [0, 1].map(() =>
        open({
          wallets,
          verifyOnChain: scriptedProof({ current: same }),
          onUnverified: ({ decision }) => void reported.push(decision.reason),
        }),
      ) as [ReturnType<typeof openShop>, ReturnType<typeof openShop>]
      const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)
      for (const reference of references) await first.orders.create({ ...ORDER, reference })
      await Promise.all(
        references.map((reference, index) =>
          (index % 2 === 0 ? first : second).send(transferFor(reference)),
        ),
      )
      await advanceBoth([first, second], () => reported.length >= 19)
      await advanceBoth([first, second], () => first.runs.length + second.runs.length > 0)
      expect(reported).toEqual(Array.from({ length: 19 }, () => 'reused'))
      expect(first.runs.length + second.runs.length).toBe(1)
      expect(await count(database.db, 'orders', "status = 'completed'")).toBe(1)
      // The reported transaction, and that of the credit.
      expect(await count(database.db, 'payments')).toBe(2)
      expect(await count(database.db, 'uses')).toBe(1)
    })

    it('S39 completes each order once when two servers prove', async () => {
      const shops = [0, 1].map(() => open({ wallets, verifyOnChain: scriptedProof() }))
      const [first, second] = shops as [ReturnType<typeof openShop>, ReturnType<typeof openShop>]
      await first.orders.create(ORDER)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second).send()),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      await advanceBoth([first, second], () => first.runs.length + second.runs.length > 0)
      expect(first.runs.length + second.runs.length).toBe(1)
      expect(await count(database.db, 'reports')).toBe(1)
      expect(await count(database.db, 'tasks', "handler = 'verifyOnChain'")).toBe(1)
    })

    it('treats a payment as proven whose transition was made before a crash', async () => {
      const shop = open({
        wallets,
        verifyOnChain: scriptedProof({ current: UNSEEN }),
      })
      await shop.orders.create(ORDER)
      const payload = transfer(7)
      expect((await shop.send(payload)).decision.kind).toBe('verifying')
      const { data } = payload as ReturnType<typeof transferCompleted>
      const payment = { ...data, rawAmount: BigInt(data.rawAmount), isLate: false }
      expect(await shop.orders.complete(ORDER, payment)).toBe('applied')
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect(await count(database.db, 'reports', "decision->>'kind' = 'paid'")).toBe(1)
    })

    it('stores the hash of the body that an order expects', async () => {
      const shop = open()
      const { bodyBase64Hash } = transferCompleted().data
      await shop.orders.create({ ...ORDER, bodyBase64Hash })
      expect(await shop.orders.find(ORDER)).toMatchObject({ bodyBase64Hash })
    })
  })
}
