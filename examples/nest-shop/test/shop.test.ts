import { transferCompleted, transferFailed } from '@tonplug/testing'
import { describe, expect, test } from 'vitest'
import type { OrderView } from '../src/orders/order-views.js'
import { PaymentGateway } from '../src/payments/payment-gateway.js'
import { openEvents } from './event-stream.js'
import { SECRET, startShop } from './harness.js'

const TX_HASH = 'a1'.repeat(32)
const PRICE = { amount: '6.5', rawAmount: '6500000000' }
const isShipped = ({ shipments }: OrderView) => shipments.length > 0

describe('paying an order', () => {
  test('S1 S37 an order is placed, paid by a webhook and shipped, while its page watches', async () => {
    const shop = await startShop()
    const { reference, ...placed } = await shop.buy('first-light')
    expect(placed).toMatchObject({ status: 'pending', amount: '6.5 TON', simulations: [] })
    const events = await openEvents(shop.url, reference)
    expect(events.contentType).toBe('text/event-stream')
    expect(await events.until(() => true)).toMatchObject({ reference, status: 'pending' })

    const payload = transferCompleted({ reference, ...PRICE, txHash: TX_HASH })
    expect(await shop.deliver(payload)).toBe(200)

    const paid = await events.until(isShipped)
    expect(paid).toMatchObject({ status: 'completed', txHash: TX_HASH })
    expect(paid.journal.map(({ text }) => text)).toEqual([
      'Payment of 6.5 TON received',
      `Shipped as ${paid.shipments[0]?.trackingCode}`,
    ])
    expect(await shop.view(reference)).toEqual(paid)
  })

  test('S26 S38 fifty deliveries at once and a late one ship one parcel', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('first-light')
    const events = await openEvents(shop.url, reference)
    const payload = transferCompleted({ reference, ...PRICE })

    const statuses = await Promise.all(Array.from({ length: 50 }, () => shop.deliver(payload)))
    await events.until(isShipped)
    statuses.push(await shop.deliver(payload))
    // Closing waits for handlers that are running or due.
    await shop.close()

    expect(new Set(statuses)).toEqual(new Set([200]))
    const last = (await events.rest()).at(-1)
    expect(last?.shipments).toHaveLength(1)
    expect(last?.journal).toHaveLength(2)
  })

  test('S7 a webhook with another signature is refused with 401 and changes nothing', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('first-light')

    const payload = transferCompleted({ reference, ...PRICE })
    expect(await shop.deliver(payload, `${SECRET}x`)).toBe(401)

    expect(await shop.view(reference)).toMatchObject({ status: 'pending', journal: [] })
  })

  test('S28 S29 a failed transfer is shown, and a later one still pays the order', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('first-light')
    const events = await openEvents(shop.url, reference)

    expect(await shop.deliver(transferFailed({ reference, ...PRICE }))).toBe(200)
    const failed = await events.until(({ journal }) => journal.length > 0)
    expect(failed).toMatchObject({
      status: 'failed',
      txHash: null,
      shipments: [],
      journal: [{ kind: 'problem', text: 'The transfer failed: Not enough TON' }],
    })

    await shop.deliver(transferCompleted({ reference, ...PRICE, txHash: TX_HASH }))
    expect(await events.until(isShipped)).toMatchObject({ status: 'completed', txHash: TX_HASH })
  })

  test.each([
    [
      'S31 one base unit less',
      { rawAmount: '6499999999', amount: '6.499999999' },
      '6.499999999 TON',
    ],
    ['S31 no number', { rawAmount: '1e10' }, 'Something else arrived'],
    [
      'S33 another currency',
      { ...PRICE, asset: `0:${'0'.repeat(64)}` },
      'another currency than TON',
    ],
  ])('%s is shown and not shipped', async (_, transfer, text) => {
    const shop = await startShop()
    const { reference } = await shop.buy('first-light')
    const events = await openEvents(shop.url, reference)

    expect(await shop.deliver(transferCompleted({ reference, ...transfer }))).toBe(200)

    const view = await events.until(({ journal }) => journal.length > 0)
    expect(view).toMatchObject({ status: 'pending', shipments: [] })
    expect(view.journal[0]?.text).toContain(text)
  })

  test('S40 a second payment is shown and ships nothing more', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('first-light')
    const events = await openEvents(shop.url, reference)
    await shop.deliver(transferCompleted({ reference, ...PRICE, txHash: TX_HASH }))
    await events.until(isShipped)

    const other = 'b2'.repeat(32)
    await shop.deliver(transferCompleted({ reference, ...PRICE, txHash: other }))

    const view = await events.until(({ journal }) => journal.length > 2)
    expect(view.journal[2]?.text).toContain(other)
    expect(view.txHash).toBe(TX_HASH)
    expect(view.shipments).toHaveLength(1)
  })

  test('S25 S56 a payment that comes before its order is matched when the order is stored', async () => {
    const shop = await startShop()
    const reference = 'quick-buyer'
    shop.app.get(PaymentGateway).createTransfer = async () => ({ reference })
    const payload = transferCompleted({ reference, ...PRICE, txHash: TX_HASH })

    expect(await shop.deliver(payload)).toBe(200)
    const placed = await shop.buy('first-light')

    expect(placed).toMatchObject({ status: 'completed', txHash: TX_HASH })
    const events = await openEvents(shop.url, reference)
    expect((await events.until(isShipped)).shipments).toHaveLength(1)
  })
})

describe('live events', () => {
  test('leave out other orders', async () => {
    const shop = await startShop()
    const [mine, other] = [await shop.buy('first-light'), await shop.buy('first-light')]
    const events = await openEvents(shop.url, mine.reference)
    await events.until(() => true)

    await shop.deliver(transferCompleted({ reference: other.reference, ...PRICE }))
    await shop.deliver(transferCompleted({ reference: mine.reference, ...PRICE }))

    expect(await events.until(() => true)).toMatchObject({
      reference: mine.reference,
      status: 'completed',
    })
  })

  test('S52 closing the shop ends the streams of open pages', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('first-light')
    const events = await openEvents(shop.url, reference)

    await shop.close()

    expect(await events.rest()).toMatchObject([{ reference, status: 'pending' }])
  })
})
