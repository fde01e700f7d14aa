import { comment, type Cell } from '@ton/core'
import {
  createPayments,
  createPaymentVerifier,
  createTransferReport,
  createWebhookReceiver,
  memoryInbox,
  type HandlerContext,
  type PaymentVerifier,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { rootOf, walletV4 } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openShop, SECRET } from '../shop.js'
import {
  gatewayBody,
  openPaidChain,
  orderOf,
  recipient,
  type PaidChain,
} from '../watcher/paid-chain.js'

const body = gatewayBody(1)
const PRICE = 1_000_000_000n

interface Delivered {
  rawAmount?: string
  message?: Cell
  /** Which transaction of the last payment the webhook names: its first or its last. */
  names?: 'first' | 'last'
  reference?: string
}

/** Delivers a webhook of the last payment. @returns the kind of the decision */
async function deliver(
  { receiver, chain }: PaidChain,
  {
    rawAmount = PRICE.toString(),
    message = body,
    names = 'first',
    reference = 'order-1',
  }: Delivered = {},
) {
  const [first, last] = chain.transactions.slice(-2).map(({ transaction }) => transaction.hash())
  const traceId = first?.toString('hex') ?? ''
  const payload = transferCompleted({
    reference,
    rawAmount,
    recipientAddr: recipient,
    senderAddr: walletV4(1).wallet.address.toRawString(),
    bodyBase64Hash: message.hash().toString('base64'),
    txHash: names === 'first' ? traceId : (last?.toString('hex') ?? ''),
    traceId,
  })
  const { body: rawBody, headers } = signPayload(payload, SECRET)
  return (await receiver.receive({ headers, rawBody })).decision.kind
}

/** Reports the last payment by both sources. @returns the kind of the webhook's decision */
async function reportBy(
  shop: PaidChain,
  first: 'webhook' | 'chain' | 'both',
  delivered: Delivered,
): Promise<string> {
  if (first === 'both') return (await Promise.all([deliver(shop, delivered), shop.look()]))[0]
  if (first === 'chain') await shop.look()
  const kind = await deliver(shop, delivered)
  if (first === 'webhook') await shop.look()
  return kind
}

/** Opens a shop whose order is paid. */
async function openPaidShop() {
  const shop = await openPaidChain([orderOf('order-1', body)], { payments: { onUnknownOrder } })
  await shop.pay(1, { body })
  await shop.wait(10)
  expect(await deliver(shop)).toBe('paid')
  await shop.wait(120)
  await shop.look()
  return shop
}

/** Opens a shop whose only order asks for a jetton. Its payments name no order, and their webhooks come before the chain. */
async function openJettonShop() {
  const shop = await openPaidChain([])
  const { bodyBase64Hash: _, ...order } = orderOf('order-1', body)
  shop.orders.add({ ...order, rawAmount: 40n, asset: shop.jetton })
  const pay = async () => {
    const message = await shop.payJetton(1, 40n)
    const last = shop.chain.transactions.at(-1)
    if (last === undefined) throw new TypeError('nothing was paid')
    const root = rootOf(last).transaction.hash().toString('hex')
    const payload = transferCompleted({
      reference: 'order-1',
      rawAmount: '40',
      asset: shop.jetton,
      recipientAddr: recipient,
      senderAddr: walletV4(1).wallet.address.toRawString(),
      bodyBase64Hash: message.hash().toString('base64'),
      txHash: root,
      traceId: root,
    })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    return (await shop.receiver.receive({ headers, rawBody })).decision.kind
  }
  const wait = async (seconds: number) => {
    for (let waited = 0; waited < seconds; waited += 10) {
      await shop.wait(10)
      await shop.quiet()
    }
  }
  return { shop, pay, wait }
}

const unknown: string[] = []
const onUnknownOrder = ({ transfer }: { transfer: { txHash: string } }): void =>
  void unknown.push(transfer.txHash)

const eventsOf = ({ events }: PaidChain): string[] =>
  events.map((event) => event.split(' ')[0] ?? '').filter((event) => event !== 'onPaid')

describe('a payment that both sources report', () => {
  it.each([
    ['webhook', 'first'],
    ['webhook', 'last'],
    ['chain', 'first'],
    ['chain', 'last'],
    ['both', 'first'],
  ] as const)(
    'S115 is one extra payment with one event when the source that reports first is: %s (names the %s transaction)',
    async (source, names) => {
      const shop = await openPaidShop()
      await shop.pay(1, { body })
      await shop.wait(120)
      expect(await reportBy(shop, source, { names })).toBe(
        source === 'chain' ? 'duplicate' : 'extra_payment',
      )
      await shop.wait(60)
      expect(
        await createOperator({ payments: shop.payments }).list({ decision: 'extra_payment' }),
      ).toMatchObject([{ source: 'chain', action: 'refund', state: 'decided' }])
      expect(eventsOf(shop)).toEqual(['onExtraPayment'])
    },
  )

  it.each(['webhook', 'chain', 'both'] as const)(
    'S116 is one mismatch with one event when the source that reports first is: %s',
    async (source) => {
      const shop = await openPaidChain([orderOf('order-1', body)])
      await shop.pay(1, { body, value: PRICE / 2n })
      await shop.wait(120)
      const delivered = { rawAmount: (PRICE / 2n).toString() }
      expect(await reportBy(shop, source, delivered)).toBe(
        source === 'chain' ? 'duplicate' : 'amount_mismatch',
      )
      await shop.wait(60)
      const query = { reference: 'order-1', decision: 'amount_mismatch' } as const
      expect(await createOperator({ payments: shop.payments }).list(query)).toMatchObject([
        { source: 'chain', totalReceived: (PRICE / 2n).toString() },
      ])
      expect(eventsOf(shop)).toEqual(['onMismatch'])
    },
  )

  it('S116 is reported by the chain only, however long the index takes', async () => {
    const shop = await openPaidShop()
    await shop.pay(1, { body })
    expect(await deliver(shop)).toBe('extra_payment')
    await shop.wait(7200)
    expect(eventsOf(shop)).toEqual([])
    expect(
      await createOperator({ payments: shop.payments }).list({ decision: 'extra_payment' }),
    ).toMatchObject([{ source: 'webhook', action: 'wait', state: 'parked' }])
    await shop.look()
    await shop.wait(60)
    expect(eventsOf(shop)).toEqual(['onExtraPayment'])
    expect(
      await createOperator({ payments: shop.payments }).list({ decision: 'extra_payment' }),
    ).toMatchObject([{ source: 'chain' }])
  })

  it('S116 is left to an operator when the chain has not shown it after a day', async () => {
    const shop = await openPaidShop()
    expect(await deliver(shop, { names: 'last', rawAmount: '5' })).toBe('duplicate')
    const payload = transferCompleted({
      reference: 'order-1',
      recipientAddr: recipient,
      txHash: 'ab'.repeat(32),
      traceId: 'cd'.repeat(32),
    })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    expect((await shop.receiver.receive({ headers, rawBody })).decision.kind).toBe('extra_payment')
    await shop.wait(90_000)
    expect(eventsOf(shop)).toEqual([])
    expect(
      await createOperator({ payments: shop.payments }).list({ decision: 'extra_payment' }),
    ).toMatchObject([{ action: 'check', state: 'decided' }])
  })

  it('S115 is reported once when the webhook reached a process without a watcher', async () => {
    const inbox = { ...memoryInbox(), isDurable: true }
    const shop = await openPaidChain([orderOf('order-1', body)], { payments: { inbox } })
    await shop.pay(1, { body })
    await shop.wait(10)
    expect(await deliver(shop)).toBe('paid')
    await shop.watcher.close()
    await shop.pay(1, { body })
    await shop.wait(120)
    expect(await deliver(shop)).toBe('extra_payment')
    await shop.wait(10)
    expect(eventsOf(shop)).toEqual([])
    const restarted = await shop.restart()
    await restarted.run()
    await shop.wait(60)
    expect(eventsOf(shop)).toEqual(['onExtraPayment'])
    expect(
      await createOperator({ payments: shop.payments }).list({ decision: 'extra_payment' }),
    ).toHaveLength(1)
  })

  it('S115 reports each of two equal extra payments once', async () => {
    const shop = await openPaidShop()
    await shop.watcher.close()
    await shop.pay(1, { body })
    // Nothing waits for a watcher that has been missing for an hour.
    await shop.wait(3700)
    expect(await deliver(shop)).toBe('extra_payment')
    await shop.wait(10)
    expect(eventsOf(shop)).toEqual(['onExtraPayment'])
    await shop.pay(1, { body })
    await shop.wait(120)
    const restarted = await shop.restart()
    await restarted.run()
    await shop.wait(60)
    expect(eventsOf(shop)).toEqual(['onExtraPayment', 'onExtraPayment'])
    expect(
      await createOperator({ payments: shop.payments }).list({ decision: 'extra_payment' }),
    ).toHaveLength(2)
  })

  it.each([true, false])(
    'S114 is reported once when two webhooks name two transactions without an order (a watcher runs: %s)',
    async (isWatched) => {
      unknown.length = 0
      const shop = await openPaidShop()
      if (!isWatched) await shop.watcher.close()
      const message = comment('nobody')
      await shop.pay(1, { body: message })
      await shop.wait(10)
      for (const names of ['first', 'last'] as const) {
        const delivered = { reference: 'nobody', message, names } as const
        expect(await deliver(shop, delivered)).toBe('unknown_order')
      }
      await shop.wait(10)
      expect(unknown).toEqual([])
      const watcher = isWatched ? shop.watcher : await shop.restart()
      await watcher.run()
      await shop.wait(60)
      expect(unknown).toHaveLength(1)
      // The watcher reports the money after a minute.
      await shop.wait(120)
      await watcher.run()
      await shop.wait(60)
      expect(unknown).toHaveLength(1)
      const query = { decision: 'unknown_order' } as const
      const listed = await createOperator({ payments: shop.payments }).list(query)
      expect(listed.filter(({ action }) => action === 'assign')).toHaveLength(1)
    },
  )

  it('S114 is reported without an order when it is too small for the watcher to report it', async () => {
    unknown.length = 0
    const shop = await openPaidShop()
    const message = comment('nobody')
    await shop.pay(1, { body: message, value: PRICE / 100n })
    const delivered = { reference: 'nobody', message, rawAmount: `${PRICE / 100n}` }
    expect(await deliver(shop, delivered)).toBe('unknown_order')
    await shop.look()
    expect(unknown).toEqual([])
    for (let looks = 0; looks < 10; looks++) {
      await shop.wait(10)
      await shop.quiet()
    }
    expect(unknown).toHaveLength(1)
  })

  it('S114 is reported once by two webhooks in a jetton that no order asks for', async () => {
    unknown.length = 0
    const shop = await openPaidShop()
    const message = await shop.payJetton(1, 40n)
    const transactions = shop.chain.transactions.map(({ transaction }) =>
      transaction.hash().toString('hex'),
    )
    const last = transactions.at(-1) ?? ''
    const { traces } = await shop.v3.traces({ tx_hash: [last], limit: 1 })
    const names = traces[0]?.transactions_order.slice(0, 2) ?? []
    expect(names).toHaveLength(2)
    for (const txHash of names) {
      const payload = transferCompleted({
        reference: 'nobody',
        rawAmount: '40',
        asset: shop.jetton,
        recipientAddr: recipient,
        senderAddr: walletV4(1).wallet.address.toRawString(),
        bodyBase64Hash: message.hash().toString('base64'),
        txHash,
        traceId: names[0] ?? '',
      })
      const { body: rawBody, headers } = signPayload(payload, SECRET)
      await shop.receiver.receive({ headers, rawBody })
    }
    for (let looks = 0; looks < 30; looks++) {
      await shop.wait(10)
      await shop.quiet()
    }
    expect(unknown).toHaveLength(1)
  })

  it('S119 is stored and used in a jetton that no other order asks for, when its webhook comes first', async () => {
    const { shop, pay, wait } = await openJettonShop()
    expect(await pay()).toBe('paid')
    await shop.look()
    await wait(30)
    const key = { name: 'default', merchant: '', reference: 'order-1' }
    const credits = await shop.inbox.credits.listOf(key)
    expect(credits.map(({ uses }) => uses)).toMatchObject([[{ ...key, rawAmount: 40n }]])
  })

  it('S115 is reported within minutes in a jetton that no open order asks for', async () => {
    const { shop, pay, wait } = await openJettonShop()
    expect(await pay()).toBe('paid')
    await wait(30)
    expect(await pay()).toBe('extra_payment')
    await shop.look()
    await wait(120)
    expect(shop.events).toEqual(['onPaid order-1 webhook', 'onExtraPayment order-1'])
    expect(await createOperator({ payments: shop.payments }).list()).toMatchObject([
      { decision: { kind: 'extra_payment' }, action: 'refund' },
      { action: 'none' },
    ])
  })

  it('S114 is reported after an hour without an order when the chain has not shown it', async () => {
    unknown.length = 0
    const shop = await openPaidShop()
    const names = { txHash: 'ab'.repeat(32), traceId: 'cd'.repeat(32) }
    const payload = transferCompleted({ reference: 'nobody', recipientAddr: recipient, ...names })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    expect((await shop.receiver.receive({ headers, rawBody })).decision.kind).toBe('unknown_order')
    const operator = createOperator({ payments: shop.payments })
    await shop.wait(3590)
    expect(unknown).toEqual([])
    expect(await operator.list({ decision: 'unknown_order' })).toMatchObject([
      { action: 'wait', source: 'webhook' },
    ])
    await shop.wait(3600)
    expect(unknown).toHaveLength(1)
    expect(await operator.list({ decision: 'unknown_order' })).toMatchObject([
      { action: 'assign', source: 'webhook' },
    ])
    await shop.wait(90_000)
    expect(unknown).toHaveLength(1)
  })

  it('S114 is reported once without an order when the watcher ends before it has found the money', async () => {
    unknown.length = 0
    const shop = await openPaidShop()
    await shop.watcher.close()
    const message = comment('nobody')
    await shop.pay(1, { body: message })
    expect(await deliver(shop, { reference: 'nobody', message })).toBe('unknown_order')
    await shop.wait(7200)
    expect(unknown).toHaveLength(1)
    const restarted = await shop.restart()
    await restarted.run()
    await shop.wait(120)
    await restarted.run()
    await shop.wait(60)
    expect(unknown).toHaveLength(1)
  })

  it('S114 is reported without an order when it is small and the webhook reaches a process without a watcher', async () => {
    unknown.length = 0
    const shop = await openPaidShop()
    const { orders, inbox, clock, logger } = shop
    const web = createPayments({
      orders,
      inbox,
      clock,
      logger,
      wallets: [recipient],
      onPaid: () => undefined,
      onMismatch: () => undefined,
      onExtraPayment: () => undefined,
      onUnverified: () => undefined,
      onUnknownOrder,
    })
    const receiver = createWebhookReceiver({ payments: web, secrets: SECRET })
    onTestFinished(async () => {
      const closing = Promise.all([receiver.close(), web.close()])
      await clock.advance(20_000)
      await closing
    })
    await shop.wait(20)
    const message = comment('nobody')
    await shop.pay(1, { body: message, value: PRICE / 100n })
    const delivered = { reference: 'nobody', message, rawAmount: `${PRICE / 100n}` }
    expect(await deliver({ ...shop, receiver }, delivered)).toBe('unknown_order')
    for (let looks = 0; looks < 12; looks++) {
      await shop.wait(600)
      await shop.quiet()
    }
    expect(unknown).toHaveLength(1)
    const listed = await createOperator({ payments: web }).list({ decision: 'unknown_order' })
    expect(listed).toMatchObject([{ action: 'assign' }])
  })

  it.each([
    ['by the webhook', 'too small for the watcher', PRICE / 20n, 'webhook'],
    ['by the chain', 'found by the watcher', PRICE, 'chain'],
  ] as const)(
    'S114 is reported once, %s, when a merchant has sent the webhook and the money is %s',
    async (_, __, value, source) => {
      unknown.length = 0
      const shop = await openPaidShop()
      const secrets = () => ({ merchant: 'north', secrets: SECRET })
      const receiver = createWebhookReceiver({ payments: shop.payments, secrets })
      onTestFinished(() => receiver.close())
      const message = comment('nobody')
      await shop.pay(1, { body: message, value })
      const delivered = { reference: 'nobody', message, rawAmount: value.toString() }
      expect(await deliver({ ...shop, receiver }, delivered)).toBe('unknown_order')
      await shop.wait(120)
      await shop.pay(9, { body: 'newer' })
      for (let looks = 0; looks < 20; looks++) {
        await shop.wait(looks < 10 ? 10 : 600)
        await shop.look()
        await shop.quiet()
      }
      expect(unknown).toHaveLength(1)
      const query = { decision: 'unknown_order' } as const
      const listed = await createOperator({ payments: shop.payments }).list(query)
      expect(listed.filter(({ action }) => action === 'assign')).toMatchObject([{ source }])
    },
  )

  it.each(['webhook', 'chain'])(
    'S114 is reported once without an order when the source that reports first is: %s',
    async (source) => {
      unknown.length = 0
      const shop = await openPaidShop()
      await shop.pay(1, { body: comment('nobody') })
      await shop.wait(120)
      const delivered = { reference: 'nobody', names: 'first' } as const
      if (source === 'webhook') await deliver(shop, delivered)
      await shop.pay(9, { body: 'newer' })
      await shop.look()
      await shop.wait(60)
      expect(unknown).toHaveLength(1)
    },
  )
})

describe('an extra payment in a jetton to a merchant with verifyOnChain', () => {
  it.each(['webhook', 'chain'] as const)(
    'S115 is one event when a webhook names a transaction after the credit, and the first source is: %s',
    async (first) => {
      let verifier: PaymentVerifier | undefined
      const verifyOnChain: PaymentVerifier = {
        deadlineMs: 120_000,
        verify: (...claim) => verifier!.verify(...claim),
      }
      const keys = new Set<string>()
      const onExtraPayment = (_: unknown, { idempotencyKey }: HandlerContext): void =>
        void keys.add(idempotencyKey)
      const shop = await openPaidChain([], { payments: { verifyOnChain, onExtraPayment } })
      verifier = createPaymentVerifier({ v3: shop.v3 })
      const secrets = () => ({ merchant: 'a', secrets: SECRET })
      const receiver = createWebhookReceiver({ payments: shop.payments, secrets })
      onTestFinished(() => receiver.close())
      const settle = async () => {
        for (let looks = 0; looks < 20; looks++) {
          await shop.wait(10)
          await shop.quiet()
        }
      }
      const price = { asset: shop.jetton, rawAmount: 40n, bodyBase64Hash: undefined }
      shop.orders.add(orderOf('order-1', body, { merchant: 'a', ...price }))
      await shop.payJetton(1, 40n, 'order-1')
      await shop.wait(120)
      await shop.look()
      await settle()
      const message = await shop.payJetton(1, 40n, 'order-1')
      const payload = transferCompleted({
        reference: 'order-1',
        rawAmount: '40',
        asset: shop.jetton,
        recipientAddr: recipient,
        senderAddr: walletV4(1).wallet.address.toRawString(),
        bodyBase64Hash: message.hash().toString('base64'),
        txHash: shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? '',
        traceId: '',
      })
      await shop.wait(120)
      const look = async () => {
        await shop.look()
        await settle()
      }
      if (first === 'chain') await look()
      const { body: rawBody, headers } = signPayload(payload, SECRET)
      await receiver.receive({ headers, rawBody })
      await settle()
      await look()
      expect(keys.size).toBe(1)
      const operator = createOperator({ payments: shop.payments })
      expect(await operator.list({ decision: 'extra_payment' })).toHaveLength(1)
    },
  )
})

describe('a webhook about money of a trace whose other money the chain has reported', () => {
  it.each([
    ['another asset', `0:${'ab'.repeat(32)}`, 'amount_mismatch'],
    ['the same asset', 'TON', 'duplicate'],
  ])('S114 is decided about %s', async (_, asset, kind) => {
    const shop = openShop()
    const trace = { traceId: 'aa'.repeat(32), rawAmount: '5' }
    const { data } = transferCompleted({ ...trace, txHash: 'bb'.repeat(32) })
    const money = { source: 'chain', payments: ['credit:1'] } as const
    await shop.payments.submit(createTransferReport(data, money))
    const payload = transferCompleted({ ...trace, txHash: 'cc'.repeat(32), asset })
    expect(await shop.decide(payload)).toBe(kind)
  })
})

describe('a credit that an operator assigns', () => {
  const half = PRICE / 2n

  /** Opens a shop with two orders, and assigns the last payment to one of them. */
  async function openAssigned(shop: PaidChain, reference: string) {
    const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
    const transactionHash = shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
    await shop.wait(120)
    await shop.look()
    const assign = async () => {
      const { decision } = await operator.assign({ transactionHash, reference }, { by: 'ann' })
      await shop.wait(60)
      return decision
    }
    return { assign, decision: await assign() }
  }

  it('S116 is reported no second time as a mismatch of the order that it names, until it pays the order', async () => {
    const order = orderOf('order-1', body)
    const shop = await openPaidChain([order])
    await shop.pay(1, { body, value: half })
    const { assign, decision } = await openAssigned(shop, 'order-1')
    expect(decision).toMatchObject({ kind: 'duplicate', first: 'amount_mismatch' })
    expect(shop.events).toEqual(['onMismatch order-1 underpaid'])
    shop.orders.replace({ ...order, rawAmount: half })
    expect(await assign()).toMatchObject({ kind: 'paid' })
    expect(shop.events).toEqual(['onMismatch order-1 underpaid', 'onPaid order-1 operator'])
  })

  it('S115 is reported no second time as an extra payment of the order that it names', async () => {
    const shop = await openPaidShop()
    await shop.pay(1, { body })
    const { decision } = await openAssigned(shop, 'order-1')
    expect(decision).toMatchObject({ kind: 'duplicate', first: 'extra_payment' })
    expect(eventsOf(shop)).toEqual(['onExtraPayment'])
  })

  it('S116 is reported as a mismatch of another order, and once', async () => {
    const shop = await openPaidChain([orderOf('order-1', body), orderOf('order-2', gatewayBody(2))])
    await shop.pay(1, { body, value: half })
    const { assign, decision } = await openAssigned(shop, 'order-2')
    expect(decision).toMatchObject({ kind: 'amount_mismatch' })
    await assign()
    const told = ['onMismatch order-1 underpaid', 'onMismatch order-2 underpaid']
    expect(shop.events).toEqual(told)
  })
})
