import { createPaymentWatcher, memoryInbox, type Inbox, type PaymentVerifier } from '@tonplug/core'
import { createTransferClient, ApiError } from '@tonplug/core/toncenter'
import { walletV4 } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../shop.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import {
  BEGIN,
  gatewayBody,
  openPaidChain,
  orderOf,
  recipient,
  type PaidChain,
  type PaidChainOptions,
} from './paid-chain.js'

// A repository without types may return it.
const notBigint = 1 as unknown as bigint
const body = gatewayBody(1)
const bodyBase64Hash = body.hash().toString('base64')

/** Returns the gateway's webhook about the last payment of a chain. The gateway may name any of its transactions. */
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

async function openPaid(options: PaidChainOptions = {}) {
  const shop = await openPaidChain([orderOf('order-1', body)], options)
  await shop.pay(1, { body })
  await shop.wait(120)
  return shop
}

describe('a watcher and webhooks', () => {
  it.each(['first', 'last'] as const)(
    'S41 decide a later webhook that names the %s transaction as duplicate',
    async (which) => {
      const shop = await openPaid()
      await shop.look()
      const answer = await send(shop, webhook(shop, which))
      await shop.clock.advance(0)
      expect(answer).toMatchObject({ status: 200, decision: { kind: 'duplicate' } })
      expect(shop.events).toEqual(['onPaid order-1 chain'])
    },
  )

  it.each(['first', 'last'] as const)(
    'S41 pay nothing again when its webhook named the %s transaction',
    async (which) => {
      const shop = await openPaid()
      await send(shop, webhook(shop, which))
      await shop.clock.advance(0)
      const report = await shop.look()
      expect(report.isComplete).toBe(true)
      expect(report.decisions).toEqual({ duplicate: 1 })
      expect(shop.events).toEqual(['onPaid order-1 webhook'])
    },
  )

  it.each(['first', 'last'] as const)(
    'S119 link a payment that names no order to the order that its webhook has paid, named by the %s transaction',
    async (which) => {
      const unknown: string[] = []
      const { bodyBase64Hash: _, ...order } = orderOf('order-1', body)
      const shop = await openPaidChain([order], {
        payments: { onUnknownOrder: ({ transfer }) => void unknown.push(transfer.txHash) },
      })
      await shop.pay(1, { body: 'Thanks #55' })
      const senderAddr = walletV4(1).wallet.address.toRawString()
      await send(shop, webhook(shop, which, { senderAddr, bodyBase64Hash: '' }))
      await shop.wait(120)
      await shop.chain.fund(walletV4(200).wallet.address, 1n)
      await shop.look()
      expect([shop.events, unknown]).toEqual([['onPaid order-1 webhook'], []])
      const key = { name: 'default', merchant: '', reference: 'order-1' }
      const [credit] = await shop.inbox.credits.listOf(key)
      expect(credit?.uses).toMatchObject([{ ...key, kind: 'order', rawAmount: 1_000_000_000n }])
    },
  )

  it('S41 complete an order once when its webhook waits for a proof and the chain shows it too', async () => {
    let isOut = true
    const verifyOnChain: PaymentVerifier = {
      deadlineMs: 3_600_000,
      verify: async ({ transfer: { txHash } }) =>
        isOut
          ? { kind: 'pending', reason: 'unreachable', detail: 'the index is unreachable' }
          : {
              kind: 'verified',
              payments: [
                {
                  message: txHash,
                  credits: ['money'],
                  amount: 1n,
                  utime: BEGIN,
                  transactions: [txHash],
                },
              ],
            },
    }
    const shop = await openPaid({ payments: { verifyOnChain } })
    await send(shop, webhook(shop, 'last'))
    await shop.wait(1)
    expect(await shop.look()).toMatchObject({ decisions: { verifying: 1 } })
    isOut = false
    await shop.wait(600)
    expect(shop.orders.all()[0]).toMatchObject({ status: 'completed' })
    expect(shop.events).toHaveLength(1)
  })

  it('S40 decide a webhook of another payment as an extra payment', async () => {
    const shop = await openPaid()
    await shop.look()
    const other = webhook(shop, 'other', { traceId: 'dd'.repeat(32) })
    expect((await send(shop, other)).decision).toMatchObject({ kind: 'extra_payment' })
  })

  it.each(['first', 'last'] as const)(
    'S41 make one transition for concurrent reports when webhooks name the %s transaction',
    async (which) => {
      const shop = await openPaid()
      const [report, ...answers] = await Promise.all([
        shop.watcher.run(),
        ...Array.from({ length: 20 }, () => send(shop, webhook(shop, which))),
      ])
      await shop.clock.advance(0)
      const kinds = answers.map(({ decision }) => decision.kind)
      const paid = kinds.filter((kind) => kind === 'paid').length
      expect(paid + (report.decisions.paid ?? 0)).toBe(1)
      expect(kinds).not.toContain('extra_payment')
      expect(report.decisions.extra_payment).toBeUndefined()
      expect(shop.events.filter((event) => event.startsWith('onPaid '))).toHaveLength(1)
    },
  )

  it('S48 complete an order whose four webhooks met a store that was down', async () => {
    let isDown = true
    const memory = memoryInbox()
    const store: Inbox['reports']['store'] = async (report) => {
      if (isDown) throw new Error('the database is down')
      return memory.reports.store(report)
    }
    const shop = await openPaid({
      payments: { inbox: { ...memory, reports: { ...memory.reports, store } } },
    })
    for (let attempt = 0; attempt < 4; attempt++) {
      expect((await send(shop, webhook(shop, 'last'))).status).toBe(503)
    }
    expect(await shop.look()).toMatchObject({ isComplete: false, decisions: {}, unsettled: 1 })
    isDown = false
    await shop.wait(60)
    expect(await shop.look()).toMatchObject({
      isComplete: true,
      decisions: { paid: 1 },
      unsettled: 0,
    })
    expect(shop.events).toEqual(['onPaid order-1 chain'])
  })
})

describe('a watcher with a client of the gateway', () => {
  it('asks the gateway when the chain shows nothing', async () => {
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
    const { baseUrl, requests } = await startMockApi(() => JSON.stringify(status))
    const transfers = createTransferClient({ baseUrl, rps: Infinity })
    const shop = await openPaidChain([orderOf('order-1', body)], { watcher: { transfers } })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    expect(requests).toHaveLength(1)
    expect(shop.orders.all()[0]).toMatchObject({
      status: 'completed',
      payment: { source: 'gateway', txHash: 'ab'.repeat(32) },
    })
  })

  it('looks up orders in turn', async () => {
    const { baseUrl, requests } = await startMockApi(() => ({ status: 404, body: '{}' }))
    const transfers = createTransferClient({ baseUrl, rps: Infinity })
    const orders = Array.from({ length: 5 }, (_, index) =>
      orderOf(`order-${index}`, gatewayBody(index)),
    )
    const watcher = { transfers }
    const shop = await openPaidChain(orders, { watcher })
    await shop.wait(120)
    for (let run = 0; run < 3; run++) await shop.look()
    const asked = requests.map(({ query }) => query.get('reference'))
    expect(asked).toEqual(['order-0', 'order-1', 'order-2', 'order-3', 'order-4', 'order-0'])
  })

  it('looks up the other orders when the gateway fails for one', async () => {
    const { baseUrl, requests } = await startMockApi(({ query }) =>
      query.get('reference') === 'order-0'
        ? { status: 400, body: '{"error":"no such thing"}' }
        : { status: 404, body: '{}' },
    )
    const transfers = createTransferClient({ baseUrl, rps: Infinity })
    const orders = Array.from({ length: 4 }, (_, index) =>
      orderOf(`order-${index}`, gatewayBody(index)),
    )
    const watcher = { transfers }
    const shop = await openPaidChain(orders, { watcher })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ isComplete: false })
    await shop.look()
    const asked = requests.map(({ query }) => query.get('reference'))
    expect(asked).toEqual(['order-0', 'order-1', 'order-2', 'order-3'])
  })

  it('asks only the client of an order’s merchant', async () => {
    const asked: string[] = []
    const client = (merchant: string) => ({
      byReference: async (reference: string) => {
        asked.push(`${merchant} ${reference}`)
        return null
      },
    })
    const orders = ['', 'north', 'south'].map((merchant, index) => ({
      ...orderOf(`order-${index}`, gatewayBody(index)),
      merchant,
    }))
    const single = await openPaidChain(orders, { watcher: { transfers: client('single') } })
    await single.wait(120)
    await single.look()
    expect(asked).toEqual(['single order-0'])
    const transfers = (merchant: string) => (merchant === 'south' ? client('south') : undefined)
    const several = await openPaidChain(orders, {
      watcher: { transfers },
    })
    await several.wait(120)
    await several.look({ lookups: 3 })
    expect(asked).toEqual(['single order-0', 'south order-2'])
  })
})

describe('a started watcher', () => {
  it('runs every minute until it is closed', async () => {
    const shop = await openPaid()
    shop.watcher.start()
    await shop.wait(0)
    await expect.poll(() => shop.watcher.stats().lastRun?.isComplete).toBe(true)
    await shop.clock.advance(0)
    expect(shop.events).toContain('onPaid order-1 chain')
    expect(shop.watcher.stats()).toMatchObject({
      decisions: { paid: 1 },
      lastRun: { openOrders: 1 },
    })
    await expect
      .poll(async () => {
        await shop.wait(1)
        await shop.quiet()
        return shop.watcher.stats().lastRun?.openOrders
      })
      .toBe(0)
    await shop.watcher.close()
    const requests = shop.v3Server.requests.length
    await shop.wait(600)
    expect(shop.v3Server.requests).toHaveLength(requests)
    await expect(shop.watcher.run()).rejects.toThrow(/abort/i)
  })
})

describe('a run of the watcher', () => {
  it('assigns no payment to two orders that have the same body', async () => {
    const shop = await openPaidChain([orderOf('order-1', body), orderOf('order-2', body)])
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: {}, ambiguous: 1 })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  it('continues past orders that the rules cannot use or that have invalid dates', async () => {
    const shop = await openPaid()
    const broken = { ...orderOf('broken', gatewayBody(8)), rawAmount: notBigint }
    const repository = {
      ...shop.orders,
      findByBodyHashes: async (hashes: readonly string[]) => [
        ...((await shop.orders.findByBodyHashes?.(hashes)) ?? []),
        broken,
      ],
      async *listOpen(query: Parameters<typeof shop.orders.listOpen>[0]) {
        yield broken
        yield* shop.orders.listOpen(query)
      },
    }
    const watcher = createPaymentWatcher({
      payments: {
        ...shop.payments,
        internals: { ...shop.payments.internals, orders: repository },
      },
      v3: shop.v3,
    })
    shop.orders.add(orderOf('undated', gatewayBody(9), { createdAt: new Date(Number.NaN) }))
    await shop.pay(1, { body: gatewayBody(8) })
    await shop.wait(120)
    expect(await watcher.run()).toMatchObject({
      isComplete: true,
      decisions: { paid: 1 },
      unwatched: 1,
    })
    await watcher.close()
  })

  it('continues when the index responds with 404 because it has no trace yet', async () => {
    const shop = await openPaid()
    const traces = async (): Promise<never> => {
      const refusal = { endpoint: 'traces', status: 404, reason: 'not found', requestId: undefined }
      throw new ApiError({ code: 'ERR_TONPLUG_NOT_FOUND', ...refusal, attempts: 1 })
    }
    const v3 = { ...shop.v3, traces: Object.assign(traces, shop.v3.traces) }
    const watcher = createPaymentWatcher({ payments: shop.payments, v3 })
    expect(await watcher.run()).toMatchObject({ isComplete: true, unsettled: 1 })
    await watcher.close()
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
  })
})
