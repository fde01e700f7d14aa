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
})
