import {
  createReconciler,
  createTransferClient,
  memoryInbox,
  memoryOrderRepository,
  NotFoundError,
  type Inbox,
  type PaymentProof,
  type ReconcilerOptions,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, SECRET } from '../shop.js'
import { startApiServer } from '../v2/api-server.js'
import { gatewayBody, openPaidChain, orderOf, recipient, type PaidChain } from './paid-chain.js'

// As a repository without types may answer.
const notBigint = 1 as unknown as bigint
const body = gatewayBody(1)
const bodyBase64Hash = body.hash().toString('base64')

/** The gateway's webhook about the only payment of a chain; `which` of its transactions it names, none knows. */
function webhook({ chain }: PaidChain, which: 'first' | 'last' | 'other', changes: object = {}) {
  const trace = chain.transactions.slice(-2)
  const hashes = trace.map(({ transaction }) => transaction.hash().toString('hex'))
  const [traceId = '', last = ''] = hashes
  const txHash = { first: traceId, last, other: 'ee'.repeat(32) }[which]
  return transferCompleted({
    reference: 'order-1',
    amount: '1.0',
    rawAmount: '1000000000',
    recipientAddr: recipient,
    bodyBase64Hash,
    txHash,
    traceId,
    ...changes,
  })
}

async function send({ receiver }: PaidChain, payload: object) {
  const { body: rawBody, headers } = signPayload(payload, SECRET)
  return receiver.receive({ headers, rawBody })
}

async function openPaid(
  options: {
    receiver?: Partial<WebhookReceiverOptions>
    reconciler?: Partial<ReconcilerOptions>
  } = {},
) {
  const shop = await openPaidChain([orderOf('order-1', body)], options)
  await shop.pay(1, { body })
  await shop.wait(120)
  return shop
}

describe('a reconciler beside webhooks', () => {
  it.each(['first', 'last'] as const)(
    'S41 knows a payment again whose webhook comes later and names the %s transaction',
    async (which) => {
      const shop = await openPaid()
      await shop.reconcile()
      const answer = await send(shop, webhook(shop, which))
      await shop.clock.advance(0)
      expect(answer).toMatchObject({ status: 200, decision: { kind: 'duplicate' } })
      expect(shop.events).toEqual(['onPaid order-1', 'onLostWebhook order-1'])
    },
  )

  it.each(['first', 'last'] as const)(
    'S41 has nothing to tell of a payment whose webhook named the %s transaction',
    async (which) => {
      const shop = await openPaid()
      await send(shop, webhook(shop, which))
      await shop.clock.advance(0)
      const report = await shop.reconcile()
      expect(report).toMatchObject({ isComplete: true, found: {} })
      expect(shop.events).toEqual(['onPaid order-1'])
    },
  )

  it('S41 does not call a webhook lost whose payment was proven after an outage, and found too', async () => {
    let isOut = true
    const verifyOnChain: PaymentProof = {
      deadlineMs: 3_600_000,
      prove: async ({ transfer: { txHash } }) =>
        isOut
          ? { kind: 'unsettled', reason: 'unreachable', detail: 'the index is away' }
          : { kind: 'proven', payments: [{ message: txHash, credits: ['money'], amount: 1n }] },
    }
    const shop = await openPaid({ receiver: { verifyOnChain } })
    await send(shop, webhook(shop, 'last'))
    await shop.wait(1)
    expect(await shop.reconcile()).toMatchObject({ decisions: { verifying: 1 } })
    isOut = false
    await shop.wait(600)
    expect(shop.orders.all()[0]).toMatchObject({ status: 'completed' })
    expect(shop.events).toEqual(['onPaid order-1'])
  })

  it('S41 does not call a webhook lost that completes the order while its payment is being found', async () => {
    const orders = memoryOrderRepository([order({ status: 'expired' })])
    const payload = transferCompleted()
    const told: string[] = []
    const note = (event: string) => () => void told.push(event)
    const kinds: string[] = []
    const complete: typeof orders.complete = async (reference, payment) => {
      if (payment.foundBy !== undefined) {
        kinds.push(await shop.decide(payload))
        // As the webhook's own receiver saw it, whose order had not expired yet.
        Object.assign(orders.all()[0]?.payment ?? {}, { late: false })
      }
      return orders.complete(reference, payment)
    }
    const shop = openShop([], {
      orders: { ...orders, complete },
      onLostWebhook: note('onLostWebhook'),
    })
    // Told in other words, so that it is another delivery.
    const transfer = { ...payload.data, amount: '10.50' }
    const found = await shop.receiver.settleFound({ transfer, foundBy: 'chain' })
    expect(found).toMatchObject({ kind: 'paid', late: false, foundBy: undefined })
    await shop.settle()
    expect(kinds).toEqual(['paid'])
    expect([shop.shipped, told]).toEqual([['order-1'], []])
  })

  it('S40 takes a webhook of another payment for what it is', async () => {
    const shop = await openPaid()
    await shop.reconcile()
    const other = webhook(shop, 'other', { traceId: 'dd'.repeat(32) })
    expect((await send(shop, other)).decision).toMatchObject({ kind: 'extra_payment' })
  })

  it.each(['first', 'last'] as const)(
    'S41 makes one transition when both come together, the %s transaction named',
    async (which) => {
      const shop = await openPaid()
      const [report, ...answers] = await Promise.all([
        shop.reconciler.run(),
        ...Array.from({ length: 20 }, () => send(shop, webhook(shop, which))),
      ])
      await shop.clock.advance(0)
      const kinds = answers.map(({ decision }) => decision.kind)
      const paid = kinds.filter((kind) => kind === 'paid').length
      expect(paid + (report.decisions.paid ?? 0)).toBe(1)
      expect(kinds).not.toContain('extra_payment')
      expect(report.decisions.extra_payment).toBeUndefined()
      expect(shop.events.filter((event) => event === 'onPaid order-1')).toHaveLength(1)
    },
  )

  it('S48 completes an order whose four webhooks met a store that was down', async () => {
    const inbox = memoryInbox()
    let isDown = true
    const store: Inbox['store'] = async (delivery) => {
      if (isDown) throw new Error('the database is down')
      return inbox.store(delivery)
    }
    const shop = await openPaid({ receiver: { inbox: { ...inbox, store } } })
    for (let attempt = 0; attempt < 4; attempt++) {
      expect((await send(shop, webhook(shop, 'last'))).status).toBe(503)
    }
    expect(await shop.reconcile()).toMatchObject({ isComplete: false, found: {} })
    isDown = false
    await shop.wait(60)
    expect(await shop.reconcile()).toMatchObject({ isComplete: true, found: { lost_webhook: 1 } })
    expect(shop.events).toEqual(['onPaid order-1', 'onLostWebhook order-1'])
  })

  it('asks the gateway where the chain shows nothing', async () => {
    const status = {
      status: 'success',
      reference: 'order-1',
      amount: '1',
      rawAmount: '1000000000',
      senderAddr: recipient,
      recipientAddr: recipient,
      asset: 'TON',
      bodyBase64Hash,
      txHash: 'ab'.repeat(32),
      traceId: 'cd'.repeat(32),
      date: new Date().toISOString(),
    }
    const { baseUrl, arrived } = await startApiServer(() => JSON.stringify(status))
    const transfers = createTransferClient({ baseUrl, rps: Infinity })
    const shop = await openPaidChain([orderOf('order-1', body)], { reconciler: { transfers } })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ found: { lost_webhook: 1 } })
    expect(arrived).toHaveLength(1)
    expect(shop.orders.all()[0]).toMatchObject({
      status: 'completed',
      payment: { foundBy: 'gateway', txHash: 'ab'.repeat(32) },
    })
  })

  it('looks orders up in turn, so that each has its turn', async () => {
    const { baseUrl, arrived } = await startApiServer(() => ({ status: 404, text: '{}' }))
    const transfers = createTransferClient({ baseUrl, rps: Infinity })
    const orders = Array.from({ length: 5 }, (_, index) =>
      orderOf(`order-${index}`, gatewayBody(index)),
    )
    const reconciler = { transfers, lookupsPerRun: 2 }
    const shop = await openPaidChain(orders, { reconciler })
    await shop.wait(120)
    for (let run = 0; run < 3; run++) await shop.reconcile()
    const asked = arrived.map(({ query }) => query.get('reference'))
    expect(asked).toEqual(['order-0', 'order-1', 'order-2', 'order-3', 'order-4', 'order-0'])
  })

  it('looks the other orders up when the gateway cannot answer for one', async () => {
    const { baseUrl, arrived } = await startApiServer(({ query }) =>
      query.get('reference') === 'order-0'
        ? { status: 400, text: '{"error":"no such thing"}' }
        : { status: 404, text: '{}' },
    )
    const transfers = createTransferClient({ baseUrl, rps: Infinity })
    const orders = Array.from({ length: 4 }, (_, index) =>
      orderOf(`order-${index}`, gatewayBody(index)),
    )
    const reconciler = { transfers, lookupsPerRun: 2 }
    const shop = await openPaidChain(orders, { reconciler })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ isComplete: false })
    await shop.reconcile()
    const asked = arrived.map(({ query }) => query.get('reference'))
    expect(asked).toEqual(['order-0', 'order-1', 'order-2', 'order-3'])
  })

  it('gives no payment to two orders that have the same body', async () => {
    const shop = await openPaidChain([orderOf('order-1', body), orderOf('order-2', body)])
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ found: {}, ambiguous: 1 })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  it('runs by itself each minute once it is started, and no more when it is closed', async () => {
    const shop = await openPaid()
    shop.reconciler.start()
    await shop.wait(60)
    await expect.poll(() => shop.reconciler.stats().lastRun?.isComplete).toBe(true)
    await shop.clock.advance(0)
    expect(shop.events).toContain('onPaid order-1')
    expect(shop.reconciler.stats()).toMatchObject({
      found: { lost_webhook: 1 },
      lastRun: { openOrders: 1 },
    })
    await shop.reconciler.close()
    const requests = shop.v3Server.requests.length
    await shop.wait(600)
    expect(shop.v3Server.requests).toHaveLength(requests)
    await expect(shop.reconciler.run()).rejects.toThrow(/abort/i)
  })

  it('is not held up by orders that cannot be judged, or whose dates are none', async () => {
    const shop = await openPaid()
    shop.orders.add({ ...orderOf('broken', gatewayBody(8)), rawAmount: notBigint })
    shop.orders.cancel('broken')
    shop.orders.add(orderOf('undated', gatewayBody(9), { createdAt: new Date(Number.NaN) }))
    await shop.pay(1, { body: gatewayBody(8) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ isComplete: true, found: { lost_webhook: 1 } })
  })

  it('goes on when the index says 404 where it has no trace yet', async () => {
    const shop = await openPaid()
    const traces = async (): Promise<never> => {
      const refusal = { endpoint: 'traces', status: 404, reason: 'not found', requestId: undefined }
      throw new NotFoundError({ ...refusal, attempts: 1 })
    }
    const v3 = { ...shop.v3, traces: Object.assign(traces, shop.v3.traces) }
    const { receiver, orders, clock, logger } = shop
    const reconciler = createReconciler({ receiver, orders, v3, clock, logger })
    expect(await reconciler.run()).toMatchObject({ isComplete: true, unsettled: 1 })
    await reconciler.close()
    expect(await shop.reconcile()).toMatchObject({ found: { lost_webhook: 1 } })
  })
})
