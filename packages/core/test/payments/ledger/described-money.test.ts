import { comment } from '@ton/core'
import { createOperator } from '@tonplug/core/operator'
import { walletV4 } from '@tonplug/simulator'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient } from '../watcher/paid-chain.js'

type PaidChain = Awaited<ReturnType<typeof openPaidChain>>
type Described = Parameters<typeof transferCompleted>[0]

const ANN = { by: 'ann' }
const BODY = gatewayBody(1)
const SENDER = walletV4(1).wallet.address.toRawString()
/** The sender and body of a message that was not sent. */
const FOREIGN = {
  senderAddr: walletV4(77).wallet.address.toRawString(),
  bodyBase64Hash: gatewayBody(99).hash().toString('base64'),
}

/** Reports a payment, as a webhook of a merchant. */
function deliver(shop: PaidChain, merchant: string, described: Described) {
  const payload = transferCompleted({ recipientAddr: recipient, ...described })
  const rawBody = JSON.stringify(payload)
  return shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer: payload.data })
}

/** Returns the hashes of the newest transactions, the newest one last. */
function hashesOf({ chain }: PaidChain, count: number): string[] {
  return chain.transactions.slice(-count).map(({ transaction }) => hexOf(transaction.hash()))
}

function hexOf(hash: Buffer): string {
  return hash.toString('hex')
}

describe('a webhook about money that names no order', () => {
  it('S116 uses a jetton whose last transaction it names, so that it cannot be refunded', async () => {
    const { bodyBase64Hash: _, ...unbound } = orderOf('order-1', BODY)
    const shop = await openPaidChain([])
    const asked = { ...unbound, asset: shop.jetton }
    shop.orders.add({ ...asked, rawAmount: 100n })
    shop.orders.add({ ...asked, reference: 'order-2', rawAmount: 777n })
    const sent = await shop.payJetton(1, 100n, 'Thanks')
    const trace = hashesOf(shop, 4)
    const described = {
      reference: 'order-1',
      rawAmount: '100',
      asset: shop.jetton,
      senderAddr: SENDER,
      bodyBase64Hash: sent.hash().toString('base64'),
      txHash: trace.at(-1) ?? '',
      traceId: trace[0] ?? '',
    }
    expect(await deliver(shop, '', described)).toMatchObject({ kind: 'paid' })
    await shop.wait(120)
    await shop.look()
    expect(shop.events).toEqual(['onPaid order-1 webhook'])
    const key = { name: 'default', merchant: '', reference: 'order-1' }
    expect(await shop.inbox.credits.listOf(key)).toHaveLength(1)
  })

  it.each([
    ['assigned to an order of another merchant', true],
    ['refunded', false],
  ])(
    'S118 blocks nothing when the chain contradicts it: the money is %s',
    async (_, isAssigned) => {
      const orders = ['north', 'south'].map((merchant) =>
        orderOf(`of-${merchant}`, BODY, { merchant, bodyBase64Hash: undefined }),
      )
      const shop = await openPaidChain(orders)
      await shop.pay(1, { body: 'Thanks' })
      const [transactionHash = ''] = hashesOf(shop, 1)
      await shop.wait(120)
      await shop.pay(9, { body: 'newer' })
      await shop.look()
      const described = { reference: 'of-north', rawAmount: '1000000000', txHash: transactionHash }
      await deliver(shop, 'north', { ...described, traceId: '', ...FOREIGN })
      await shop.wait(120)
      await shop.look()
      const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
      const assignment = { transactionHash, merchant: 'south', reference: 'of-south' }
      const done = isAssigned
        ? operator.assign(assignment, ANN)
        : operator.refund({ transactionHash }, ANN)
      expect(await done).toMatchObject(
        isAssigned ? { decision: { kind: 'paid' } } : { state: 'proposed' },
      )
    },
  )
})

/** A transaction that the index does not have. */
const UNKNOWN_HASH = '5e'.repeat(32)

describe.each(['before', 'after'])(
  'a webhook of a merchant that names the trace alone, %s the chain shows the money',
  (when) => {
    const key = { merchant: 'north', bodyBase64Hash: undefined }

    /** Pays a wallet of two merchants without a reference. The webhook of north completes its first order. */
    async function openNamedTrace(): Promise<PaidChain & { transactionHash: string }> {
      const shop = await openPaidChain([
        orderOf('north-1', BODY, key),
        orderOf('north-2', BODY, key),
        orderOf('of-south', BODY, { ...key, merchant: 'south' }),
      ])
      await shop.pay(1, { body: 'Thanks' })
      const [traceId = '', transactionHash = ''] = hashesOf(shop, 2)
      const send = () =>
        deliver(shop, 'north', {
          reference: 'north-1',
          rawAmount: '1000000000',
          txHash: UNKNOWN_HASH,
          traceId,
          senderAddr: SENDER,
          bodyBase64Hash: '',
        })
      if (when === 'before') await send()
      await shop.wait(120)
      await shop.pay(9, { body: 'newer' })
      await shop.look()
      if (when === 'after') await send()
      expect(shop.decided.map(({ decision: { kind } }) => kind)).toContain('paid')
      return { ...shop, transactionHash }
    }

    it.each(['north', 'south', ''])('S118 leaves %s no refund of it', async (merchant) => {
      const { transactionHash, ...shop } = await openNamedTrace()
      const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
      const refund = await operator.refund({ transactionHash, merchant }, ANN)
      expect(refund).toMatchObject({ state: 'rejected' })
    })

    it.each([
      ['north', 'north-2'],
      ['south', 'of-south'],
    ])('S118 pays no order of %s when it is assigned', async (merchant, reference) => {
      const { transactionHash, ...shop } = await openNamedTrace()
      const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
      const assignment = { transactionHash, merchant, reference }
      expect(await operator.assign(assignment, ANN)).toMatchObject({
        decision: { kind: 'unverified', reason: 'reused' },
      })
    })
  },
)

describe.each(['before', 'after'])(
  'webhooks of two merchants about money that names no order, %s the chain shows it',
  (when) => {
    it.each([
      ['alarm when both name one payment', 1],
      ['are silent when there are two payments', 2],
    ])('S118 complete both orders, and %s', async (_, payments) => {
      const orders = ['north', 'south'].map((merchant) =>
        orderOf('order-1', BODY, { merchant, bodyBase64Hash: undefined }),
      )
      const shop = await openPaidChain(orders)
      const traces: string[] = []
      for (let count = 0; count < payments; count++) {
        await shop.pay(1 + count, { body: 'Thanks' })
        traces.push(hashesOf(shop, 2)[0] ?? '')
      }
      const send = async () => {
        for (const [index, merchant] of ['north', 'south'].entries()) {
          const traceId = traces[index % payments] ?? ''
          const senderAddr = walletV4(1 + (index % payments)).wallet.address.toRawString()
          const named = { txHash: `${index}`.repeat(64), traceId, senderAddr, bodyBase64Hash: '' }
          await deliver(shop, merchant, {
            reference: 'order-1',
            rawAmount: '1000000000',
            ...named,
          })
        }
      }
      if (when === 'before') await send()
      await shop.wait(120)
      await shop.pay(9, { body: 'newer' })
      await shop.look()
      if (when === 'after') await send()
      await shop.wait(120)
      expect(shop.events).toEqual(Array.from({ length: 2 }, () => 'onPaid order-1 webhook'))
      const alarms = shop.logger.lines.filter(({ level }) => level === 'error')
      expect(alarms.map(({ message }) => message)).toEqual(
        payments === 1 ? ['order completed with money of another order; check both'] : [],
      )
      const listed = await createOperator({ payments: shop.payments }).list({ decision: 'paid' })
      const expected = payments === 1 ? ['check', 'none'] : ['none', 'none']
      expect(listed.map(({ action }) => action)).toEqual(expected)
    })

    it('S118 completes both orders, and alarms, when the second one is trusted with the money', async () => {
      const changes = { bodyBase64Hash: undefined }
      const shop = await openPaidChain([
        orderOf('order-1', BODY, { ...changes, merchant: 'north' }),
        orderOf('order-1', BODY, changes),
      ])
      await shop.pay(1, { body: 'Thanks' })
      const [traceId = ''] = hashesOf(shop, 2)
      const described = { reference: 'order-1', rawAmount: '1000000000', traceId }
      const named = { ...described, senderAddr: SENDER, bodyBase64Hash: '' }
      const send = async () => {
        await deliver(shop, 'north', { ...named, txHash: '1'.repeat(64) })
        await deliver(shop, '', { ...named, txHash: '2'.repeat(64) })
      }
      if (when === 'before') await send()
      await shop.wait(120)
      await shop.pay(9, { body: 'newer' })
      await shop.look()
      if (when === 'after') await send()
      await shop.wait(120)
      const alarms = shop.logger.lines.filter(({ level }) => level === 'error')
      expect(alarms.map(({ message }) => message)).toEqual([
        'order completed with money of another order; check both',
      ])
      const listed = await createOperator({ payments: shop.payments }).list({ decision: 'paid' })
      expect(listed.map(({ merchant, action }) => `${merchant} ${action}`)).toEqual([
        ' none',
        'north check',
      ])
    })
  },
)

it('S118 pays an order with its part of a batch after the refund of another part by the shared hash', async () => {
  const shop = await openPaidChain([orderOf('order-1', BODY, { bodyBase64Hash: undefined })])
  await shop.pay(1, { body: 'Thanks', value: 300_000_000n }, { body: 'Hi' })
  const [shared = ''] = hashesOf(shop, 3)
  const describeAs = (reference: string, rawAmount: string, text: string): Described => {
    const bodyBase64Hash = comment(text).hash().toString('base64')
    const named = { txHash: shared, traceId: shared, senderAddr: SENDER, bodyBase64Hash }
    return { ...named, reference, rawAmount }
  }
  await deliver(shop, '', describeAs('unknown', '300000000', 'Thanks'))
  await shop.wait(120)
  await shop.pay(9, { body: 'newer' })
  await shop.look()
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  expect(await operator.refund({ transactionHash: shared }, ANN)).toMatchObject({
    state: 'proposed',
  })
  const other = describeAs('order-1', '1000000000', 'Hi')
  expect(await deliver(shop, '', other)).toMatchObject({ kind: 'paid' })
  const key = { name: 'default', merchant: '', reference: 'order-1' }
  expect(await shop.inbox.credits.listOf(key)).toMatchObject([{ rawAmount: 1_000_000_000n }])
})

it('S114 reports a second payment with the same message, long after a webhook without a trace', async () => {
  const shop = await openPaidChain([orderOf('order-1', BODY)])
  await shop.pay(1, { body: BODY })
  const [txHash = ''] = hashesOf(shop, 2)
  const described = {
    reference: 'order-1',
    rawAmount: '1000000000',
    senderAddr: SENDER,
    bodyBase64Hash: BODY.hash().toString('base64'),
    txHash,
    traceId: '',
    date: new Date(shop.clock.nowMs()).toISOString(),
  }
  expect(await deliver(shop, '', described)).toMatchObject({ kind: 'paid' })
  await shop.wait(2 * 86_400)
  await shop.pay(1, { body: BODY })
  await shop.wait(120)
  await shop.look()
  expect(shop.events).toEqual(['onPaid order-1 webhook', 'onExtraPayment order-1'])
})

describe('webhooks that name one transaction for several orders', () => {
  const references = ['order-1', 'order-2', 'order-3']
  const bound = references.map((reference, index) => ({
    reference,
    bodyBase64Hash: gatewayBody(index).hash().toString('base64'),
  }))
  const named = { txHash: '1a'.repeat(32), traceId: '1a'.repeat(32) }

  it('pay each order when they arrive at once', async () => {
    const shop = openShop(bound.map(order))
    const payloads = bound.map(({ reference, bodyBase64Hash }) =>
      transferCompleted({ ...named, reference, bodyBase64Hash }),
    )
    await Promise.all(payloads.map((payload) => shop.send(payload)))
    // One that met an undecided one is decided again.
    await shop.clock.advance(600_000)
    await shop.settle()
    expect(shop.shipped.toSorted()).toEqual(references)
  })

  it('pay each order beside a webhook without a body for an unknown order', async () => {
    const shop = openShop(bound.map(order))
    await shop.send(transferCompleted({ ...named, reference: 'unknown', bodyBase64Hash: '' }))
    for (const { reference, bodyBase64Hash } of bound) {
      await shop.send(transferCompleted({ ...named, reference, bodyBase64Hash }))
    }
    await shop.settle()
    expect(shop.shipped.toSorted()).toEqual(references)
  })

  it('pay one order by each message of a batch of 254', async () => {
    const batch = Array.from({ length: 254 }, (_, index) => ({
      reference: `order-${index}`,
      bodyBase64Hash: gatewayBody(index).hash().toString('base64'),
    }))
    const bodyBase64Hash = batch[0]?.bodyBase64Hash ?? ''
    const repeated = { reference: 'repeated', bodyBase64Hash }
    const shop = openShop([...batch, repeated].map(order))
    for (const one of [...batch, repeated]) await shop.send(transferCompleted({ ...named, ...one }))
    await shop.settle()
    expect(shop.shipped).toEqual(batch.map(({ reference }) => reference))
  })
})
