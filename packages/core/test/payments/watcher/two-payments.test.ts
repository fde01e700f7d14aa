import {
  createPaymentVerifier,
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
  type PaymentWatcherOptions,
  type CursorStore,
} from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gatewayBody, openPaidChain, orderOf, recipient, type PaidChain } from './paid-chain.js'

const REFERENCE = 'order-1'

/** Opens a second shop on a chain, with its own name and order, that shares the inbox of the first one. */
function openNeighbour(
  { v3, clock, logger, inbox }: PaidChain,
  { body, ...options }: Partial<PaymentWatcherOptions> & { body: number },
) {
  const orders = memoryOrderRepository([orderOf(REFERENCE, gatewayBody(body))])
  const payments = createPayments({
    name: 'neighbour',
    orders,
    inbox,
    wallets: [recipient],
    verifyOnChain: createPaymentVerifier({ v3 }),
    clock,
    logger,
  })
  const watcher = createPaymentWatcher({ payments, v3, ...options })
  onTestFinished(async () => {
    await watcher.close()
    const closed = payments.close()
    await clock.advance(20_000)
    await closed
  })
  const status = async () => (await orders.find({ reference: REFERENCE }))?.status
  return { watcher, status }
}

describe('two Payments that share an inbox, with orders of one reference', () => {
  it('complete each its own order with its own payment', async () => {
    const shop = await openPaidChain([orderOf(REFERENCE, gatewayBody(1))])
    const neighbour = openNeighbour(shop, { body: 2 })
    await shop.pay(1, { body: gatewayBody(1) }, { body: gatewayBody(2) })
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, ambiguous: 0 })
    expect(await neighbour.watcher.run()).toMatchObject({ ambiguous: 0 })
    await expect.poll(async () => (await shop.wait(1), neighbour.status())).toBe('completed')
  })

  it('miss no payment when they share a cursor by mistake', async () => {
    let position: string | undefined
    const cursor: CursorStore = {
      load: async () => position,
      save: async (text) => void (position = text),
      acquire: async () => true,
      release: async () => undefined,
    }
    const shop = await openPaidChain([orderOf(REFERENCE, gatewayBody(1))], { watcher: { cursor } })
    const neighbour = openNeighbour(shop, { body: 2, cursor })
    await shop.pay(1, { body: gatewayBody(2) })
    await shop.wait(7200)
    await shop.look()
    expect(await neighbour.watcher.run({ lookups: 0 })).toMatchObject({
      decisions: { verifying: 1 },
    })
    expect(shop.logger.lines).toContainEqual({
      level: 'error',
      message: 'cursor belongs to another Payments and is ignored; use one cursor for each',
      fields: { payments: 'neighbour', other: 'default' },
    })
  })
})
