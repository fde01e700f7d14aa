import {
  createPaymentVerifier,
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  type OrderRepository,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { createChainSimulator, type RecordedTransaction } from '@tonplug/simulator'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mappedOrderRepository } from '../src/mapped-order-repository.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { openPostgres } from './databases.js'
import { SECRET, withClock } from './shop.js'

const PRICE = 1_000_000_000n
const KEY = { reference: 'order-1', merchant: '' }

/** Opens two servers with an inbox, and the shop's own table behind another pool. */
async function openServers(isProven: boolean) {
  const database = await withClock(await openPostgres())
  const pool = new pg.Pool({ connectionString: database.url })
  await pool.query(
    'CREATE TABLE shop_orders (number text PRIMARY KEY, price numeric, state text, paid_by jsonb)',
  )
  await pool.query('INSERT INTO shop_orders VALUES ($1, $2, $3)', ['order-1', PRICE, 'new'])
  const { clock } = database
  const now = () => Math.floor(clock.nowMs() / 1000)
  const chain = await createChainSimulator({ now })
  const merchant = await chain.createWallet({ balance: PRICE })
  const payer = await chain.createWallet({ balance: 100n * PRICE })
  const orders = mappedOrderRepository(pool, {
    table: 'shop_orders',
    columns: { reference: 'number', rawAmount: 'price', status: 'state', payment: 'paid_by' },
    asset: 'TON',
    statuses: { pending: 'new', completed: 'paid' },
  })
  // The clock moves faster than a server that is busy, so a task may run again, with the same key.
  const keys = new Set<string>()
  const events: string[] = []
  const note =
    (event: string) =>
    async (_: object, { idempotencyKey }: { idempotencyKey: string }) => {
      if (!keys.has(idempotencyKey)) events.push(event)
      keys.add(idempotencyKey)
    }
  const held = inPairs(orders)
  const servers = [1, 2].map(() => {
    const v3 = createV3Client({
      transport: createTransport({ baseUrl: chain.url, rps: Infinity, clock }),
    })
    const payments = createPayments({
      orders: held,
      inbox: postgresInbox(database.timed),
      wallets: [merchant.address.toString()],
      verifyOnChain: isProven ? createPaymentVerifier({ v3 }) : undefined,
      onPaid: note('paid'),
      onExtraPayment: note('extra'),
      onUnverified: note('unverified'),
      clock,
      logger: createTestLogger(),
    })
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    const watcher = createPaymentWatcher({ payments, v3 })
    return { payments, receiver, watcher, operator: createOperator({ payments, v3 }) }
  })
  onTestFinished(async () => {
    const closed = Promise.all(
      servers.flatMap(({ payments, receiver, watcher }) =>
        [receiver, watcher, payments].map((one) => one.close()),
      ),
    )
    let isClosed = false
    void closed.then(() => void (isClosed = true))
    await expect.poll(async () => (await clock.advance(1000), isClosed)).toBe(true)
    await chain.close()
    await pool.end()
    await database.close()
  })
  const pay = (): Promise<RecordedTransaction> =>
    payer.pay(
      `ton://transfer/${merchant.address.toString({ bounceable: false })}?amount=${PRICE}&text=order-1`,
    )
  /** Signs the webhook of a payment, which names its first or its last transaction. */
  const webhookOf = (root: RecordedTransaction, names: 'first' | 'last') => {
    const traceId = hashOf(root)
    const [credit] = root.children
    const payload = transferCompleted({
      reference: 'order-1',
      rawAmount: `${PRICE}`,
      asset: 'TON',
      senderAddr: payer.address.toRawString(),
      recipientAddr: merchant.address.toRawString(),
      txHash: names === 'first' || credit === undefined ? traceId : hashOf(credit),
      traceId,
      bodyBase64Hash: credit?.transaction.inMessage?.body.hash().toString('base64') ?? '',
    })
    const { body, headers } = signPayload(payload, SECRET)
    return { rawBody: body, headers }
  }
  return { servers, orders, events, clock, pay, webhookOf, inbox: postgresInbox(database.timed) }
}

const hashOf = ({ transaction }: RecordedTransaction): string => transaction.hash().toString('hex')

/** Completes no order before two payments have asked for it, or half a second has passed. */
function inPairs(orders: OrderRepository): OrderRepository {
  const waiting: (() => void)[] = []
  const release = (): void => {
    for (const one of waiting.splice(0)) one()
  }
  return {
    ...orders,
    async complete(key, payment) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 2) release()
        else setTimeout(release, 500)
      })
      return orders.complete(key, payment)
    },
  }
}

describe.skipIf(!hasPostgres)(
  `a double payment, two servers and two pools on ${NEEDS_POSTGRES}`,
  () => {
    it.each([
      ['first', false],
      ['last', false],
      ['first', true],
      ['last', true],
    ] as const)(
      'S126 is one paid, one extra payment and one refund when both webhooks name the %s transaction at once (proven: %s)',
      async (names, isProven) => {
        const shop = await openServers(isProven)
        const { servers, events, clock } = shop
        const roots = [await shop.pay(), await shop.pay()]
        await Promise.all(
          servers.map(({ receiver }, place) =>
            receiver.receive(shop.webhookOf(roots[place]!, names)),
          ),
        )
        const settled = async () => {
          await clock.advance(5000)
          await Promise.all(servers.map(({ watcher }) => watcher.run()))
          return events.toSorted()
        }
        await expect.poll(settled).toEqual(['extra', 'paid'])
        for (let turn = 0; turn < 5; turn++) await settled()
        expect(events.toSorted()).toEqual(['extra', 'paid'])
        expect(await shop.orders.find(KEY)).toMatchObject({ status: 'completed' })
        const hashes = roots.flatMap((root) => [root, ...root.children].map(hashOf))
        const reported = await shop.inbox.reports.list({
          name: 'default',
          txHashes: hashes,
          limit: 100,
        })
        const asked = [...new Set(reported.map(({ txHash }) => txHash))]
        const refunds = await Promise.all(
          asked.flatMap((transactionHash) =>
            servers.map(({ operator }) => operator.refund({ transactionHash }, { by: 'ann' })),
          ),
        )
        expect(refunds.filter(({ state }) => state === 'proposed')).toHaveLength(1)
        const credits = await shop.inbox.credits.find({ hashes: roots.map(hashOf) })
        const uses = credits.map((credit) => credit.uses.map(({ kind }) => kind).join())
        expect(uses.toSorted()).toEqual(['order', 'refund'])
      },
    )
  },
)
