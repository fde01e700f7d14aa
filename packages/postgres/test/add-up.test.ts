import { createHash } from 'node:crypto'
import {
  createPayments,
  createTransferReport,
  type Inbox,
  type NewCredit,
  type Payments,
} from '@tonplug/core'
import { createTestLogger, transferCompleted } from '@tonplug/testing'
import { deferred } from '@tonplug/test-support/deferred'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPostgres, type TestPostgres } from './databases.js'

const WALLET = `0:${'ab'.repeat(32)}`
const PAYER = `0:${'cd'.repeat(32)}`
const HALF = 500n
const ORDERS = 40

interface Server {
  payments: Payments
  paid: string[]
}

describe.skipIf(!hasPostgres)(`the parts of a price in two servers, on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres()
  })
  afterAll(() => database.close())

  /** Starts a server with connections of its own. */
  function startServer(wrap = (inbox: Inbox): Inbox => inbox): Server {
    const pool = new pg.Pool({ connectionString: database.url, max: 8 })
    const paid: string[] = []
    const payments = createPayments({
      orders: postgresOrderRepository(pool),
      inbox: wrap(postgresInbox(pool)),
      wallets: [WALLET],
      amounts: { partial: 'add-up' },
      logger: createTestLogger(),
      onPaid: ({ order }, { idempotencyKey }) =>
        void paid.push(`${order.reference} ${idempotencyKey}`),
    })
    onTestFinished(async () => {
      await payments.close()
      await pool.end()
    })
    return { payments, paid }
  }

  it.each([2, 3])(
    'S132 complete an order once when %d halves arrive in both at once',
    async (halves) => {
      await database.clear()
      const servers = [startServer(), startServer()]
      const orders = postgresOrderRepository(database.db)
      const inbox = postgresInbox(database.db)
      const references = Array.from({ length: ORDERS }, (_, number) => `order-${number}`)
      for (const reference of references) {
        await orders.create({ reference, rawAmount: 2n * HALF, asset: 'TON', data: null })
      }
      const parts = references.flatMap((reference) =>
        Array.from({ length: halves }, (_, part) => partOf(reference, part)),
      )
      await Promise.all(
        parts.map(async ({ credit, report }, index) => {
          await inbox.credits.store([credit])
          await servers[index % 2]!.payments.submit(report)
        }),
      )
      const runs = () => servers.flatMap(({ paid }) => paid)
      await expect.poll(() => new Set(runs()).size).toBe(ORDERS)
      for (const reference of references) {
        const order = await orders.find({ reference })
        expect(order).toMatchObject({ status: 'completed', payment: { rawAmount: 2n * HALF } })
        const key = { name: 'default', merchant: '', reference }
        const used = (await inbox.credits.listOf(key)).flatMap(({ uses }) => uses)
        expect(used).toMatchObject([
          { kind: 'order', rawAmount: HALF, payment: order?.payment?.txHash },
          { kind: 'order', rawAmount: HALF, payment: order?.payment?.txHash },
        ])
      }
      const kinds = async () => {
        const reports = await inbox.reports.list({ name: 'default', limit: 1000 })
        const counts: Record<string, number> = {}
        for (const { decision } of reports) {
          const { kind = 'none' } = decision ?? {}
          counts[kind] = (counts[kind] ?? 0) + 1
        }
        return counts
      }
      await expect.poll(kinds).toEqual({
        paid: ORDERS,
        duplicate: ORDERS,
        ...(halves > 2 && { extra_payment: ORDERS }),
      })
      expect(runs()).toHaveLength(ORDERS)
    },
  )

  it('S132 stay used when the claim of one server follows the completion by the other one', async () => {
    await database.clear()
    const [stored, reached, completed] = [deferred(), deferred(), deferred()]
    let count = 0
    /** A server that decides when both have stored their reports, and claims after something. */
    const startHeld = (beforeClaim: () => Promise<void>): Server =>
      startServer((inbox) => ({
        ...inbox,
        joinOrders(orders) {
          const joined = inbox.joinOrders?.(orders)
          // Reports are stored by the method below.
          delete joined?.storeAndFind
          return joined
        },
        reports: {
          ...inbox.reports,
          async store(report) {
            const made = await inbox.reports.store(report)
            if (++count === 2) stored.resolve()
            await stored.promise
            return made
          },
        },
        credits: {
          ...inbox.credits,
          async claim(claimed) {
            await beforeClaim()
            return inbox.credits.claim(claimed)
          },
        },
      }))
    const fast = startHeld(() => reached.promise)
    const slow = startHeld(() => {
      reached.resolve()
      return completed.promise
    })
    const orders = postgresOrderRepository(database.db)
    const { credits } = postgresInbox(database.db)
    await orders.create({ reference: 'order-1', rawAmount: 2n * HALF, asset: 'TON', data: null })
    const parts = [partOf('order-1', 0), partOf('order-1', 1)]
    await credits.store(parts.map(({ credit }) => credit))
    const [first, second] = parts.map(({ report }) => report)
    const decided = [
      fast.payments.submit(first!).finally(() => completed.resolve()),
      slow.payments.submit(second!),
    ]
    expect(await Promise.all(decided)).toMatchObject([{ kind: 'paid' }, { kind: 'duplicate' }])
    const found = await credits.find({ ids: parts.map(({ credit }) => credit.id) })
    const use = { kind: 'order', reference: 'order-1', payment: parts[0]!.credit.txHash }
    expect(found.map(({ uses }) => uses)).toMatchObject([[use], [use]])
  })
})

/** Returns a credit of half a price, and the report of a watcher about it. */
function partOf(reference: string, part: number) {
  const txHash = createHash('sha256').update(`${reference} ${part}`).digest('hex')
  const utime = Math.floor(Date.now() / 1000)
  const credit: NewCredit = {
    id: txHash.slice(0, 32),
    account: WALLET,
    wallet: WALLET,
    txHash,
    asset: 'TON',
    rawAmount: HALF,
    traceId: txHash,
    utime,
    order: { name: 'default', merchant: '', reference },
    route: [
      {
        hash: txHash,
        sender: PAYER,
        recipient: WALLET,
        value: HALF,
        comment: reference,
        isCommentEncrypted: false,
        transaction: txHash,
        fees: 0n,
        isShared: false,
      },
    ],
  }
  const { data } = transferCompleted({
    reference,
    txHash,
    traceId: txHash,
    rawAmount: `${HALF}`,
    asset: 'TON',
    senderAddr: PAYER,
    recipientAddr: WALLET,
    date: new Date(utime * 1000).toISOString(),
  })
  const payments = [`credit:${credit.id}`, `tx:${txHash}`]
  return { credit, report: createTransferReport(data, { source: 'chain', payments }) }
}
