import {
  createPaymentProof,
  createReconciler,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
} from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient, type PaidChain } from './paid-chain.js'

const REFERENCE = 'order-1'

/** A second shop on a chain, with a name and an order of its own; it shares the inbox of the first one. */
function openNeighbour(
  { v3, clock, logger }: PaidChain,
  { inbox, body }: { inbox: Inbox; body: number },
) {
  const orders = memoryOrderRepository([orderOf(REFERENCE, gatewayBody(body))])
  const receiver = createWebhookReceiver({
    name: 'neighbour',
    secrets: SECRET,
    orders,
    inbox,
    recipients: [recipient],
    verifyOnChain: createPaymentProof({ v3 }),
    clock,
    logger,
  })
  const reconciler = createReconciler({ receiver, orders, v3, clock, logger })
  onTestFinished(async () => {
    await reconciler.close()
    const closed = receiver.close()
    await clock.advance(10_000)
    await closed
  })
  const status = async () => (await orders.findByReference(REFERENCE))?.status
  return { receiver, reconciler, status }
}

describe('two receivers that share an inbox, with orders of one reference', () => {
  it('complete each its own order with its own money', async () => {
    const inbox = memoryInbox()
    const shop = await openPaidChain([orderOf(REFERENCE, gatewayBody(1))], { receiver: { inbox } })
    const neighbour = openNeighbour(shop, { inbox, body: 2 })
    await shop.pay(1, { body: gatewayBody(1) }, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: { paid: 1 }, ambiguous: 0 })
    expect(await neighbour.reconciler.run()).toMatchObject({ ambiguous: 0 })
    await expect.poll(async () => (await shop.wait(1), neighbour.status())).toBe('completed')
  })

  it('do not both take the same money when it is found', async () => {
    const inbox = memoryInbox()
    const shop = await openPaidChain([orderOf(REFERENCE, gatewayBody(1))], { receiver: { inbox } })
    const neighbour = openNeighbour(shop, { inbox, body: 1 })
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.wait(120)
    expect(await shop.reconcile()).toMatchObject({ decisions: { paid: 1 }, ambiguous: 0 })
    expect(await neighbour.reconciler.run()).toMatchObject({ decisions: {}, ambiguous: 1 })
    expect(await neighbour.status()).toBe('pending')
  })

  it('do not both take the same money when webhooks tell it and it is proven', async () => {
    const inbox = memoryInbox()
    const shop = await openPaidChain([orderOf(REFERENCE, gatewayBody(1))], { receiver: { inbox } })
    const neighbour = openNeighbour(shop, { inbox, body: 1 })
    await shop.pay(1, { body: gatewayBody(1) })
    await shop.wait(120)
    await shop.reconcile()
    const payment = shop.orders.all()[0]?.payment
    const { body, headers } = signPayload(
      transferCompleted({
        ...payment,
        reference: REFERENCE,
        amount: '1.0',
        rawAmount: '1000000000',
      }),
      SECRET,
    )
    const decided: string[] = []
    neighbour.receiver.subscribe(({ decision }) => decided.push(decision.kind))
    await neighbour.receiver.receive({ headers, rawBody: body })
    await expect.poll(async () => (await shop.wait(1), decided.at(-1))).toBe('unverified')
    expect(await neighbour.status()).toBe('pending')
  })
})
