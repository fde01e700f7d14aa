import { describe, expect, test } from 'vitest'
import type { ProofVerdict } from '@tonplug/core'
import { transferCompleted, transferFailed } from '@tonplug/testing'
import type { OrderView } from '../src/order-view.js'
import { openEvents } from './event-stream.js'
import { SECRET, startShop } from './harness.js'

const TX_HASH = 'a1'.repeat(32)
const isShipped = ({ journal }: OrderView) => journal.some(({ kind }) => kind === 'shipped')

describe('paying an order', () => {
  test('S1 S37 ships an order that a webhook paid', async () => {
    const shop = await startShop()
    const { reference, status, amount, rawAmount } = await shop.buy('hoodie')
    expect({ status, amount, rawAmount }).toEqual({
      status: 'pending',
      amount: '10.5 TON',
      rawAmount: '10500000000',
    })

    const events = await openEvents(shop.url, reference)
    expect(await shop.deliver(transferCompleted({ reference, txHash: TX_HASH }))).toBe(200)

    const paid = await events.until(isShipped)
    expect(paid).toMatchObject({ status: 'completed', txHash: TX_HASH })
    expect(paid.journal.map(({ text }) => text)).toEqual([
      'Payment of 10.5 TON received',
      `Shipped as ${paid.shipments[0]?.trackingCode}`,
    ])
    expect(await shop.view(reference)).toEqual(paid)
  })

  test.each<[string, ProofVerdict, string, RegExp]>([
    [
      'proven',
      {
        kind: 'proven',
        payments: [
          { message: 'm', credits: ['m'], amount: 1n, utime: 1_700_000_000, transactions: ['m'] },
        ],
      },
      'completed',
      /^Shipped/,
    ],
    [
      'not on the chain',
      { kind: 'refuted', reason: 'other_recipient', detail: 'another recipient' },
      'pending',
      /is not on the chain/,
    ],
  ])('S54 S55 a payment that is %s', async (_, verdict, status, entry) => {
    const payload = transferCompleted({ txHash: TX_HASH })
    const shop = await startShop({
      wallets: [payload.data.recipientAddr],
      verifyOnChain: { deadlineMs: 60_000, prove: () => Promise.resolve(verdict) },
    })
    const { reference } = await shop.buy('hoodie')
    const events = await openEvents(shop.url, reference)
    expect(await shop.deliver(transferCompleted({ ...payload.data, reference }))).toBe(200)
    const view = await events.until(({ journal }) => journal.some(({ text }) => entry.test(text)))
    expect(view.status).toBe(status)
  })

  test('S26 S38 ships one parcel for fifty concurrent deliveries and a later one', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('hoodie')
    const events = await openEvents(shop.url, reference)
    const payload = transferCompleted({ reference })

    const statuses = await Promise.all(Array.from({ length: 50 }, () => shop.deliver(payload)))
    await events.until(isShipped)
    statuses.push(await shop.deliver(payload))
    await shop.shop.payments.close()

    expect(new Set(statuses)).toEqual(new Set([200]))
    const { shipments, journal } = await shop.view(reference)
    expect(shipments).toHaveLength(1)
    expect(journal).toHaveLength(2)
  })

  test('S28 S29 shows a failed transfer, and a later one pays the order', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('hoodie')
    const events = await openEvents(shop.url, reference)

    expect(await shop.deliver(transferFailed({ reference }))).toBe(200)
    const failed = await events.until(({ journal }) => journal.length > 0)
    expect(failed).toMatchObject({ status: 'failed', txHash: null, shipments: [] })
    expect(failed.journal).toMatchObject([
      { kind: 'problem', text: 'The transfer failed: Not enough TON' },
    ])

    expect(await shop.deliver(transferCompleted({ reference, txHash: TX_HASH }))).toBe(200)
    expect(await events.until(isShipped)).toMatchObject({ status: 'completed', txHash: TX_HASH })
  })

  test.each([
    ['one base unit less', '10499999999', '10.499999999 TON arrived instead of 10.5 TON'],
    ['one base unit more', '10500000001', '10.500000001 TON arrived instead of 10.5 TON'],
    ['an invalid number', '1e10', 'An invalid amount arrived instead of 10.5 TON'],
  ])('S31 shows an amount of %s and does not ship', async (_, rawAmount, text) => {
    const shop = await startShop()
    const { reference } = await shop.buy('hoodie')
    const events = await openEvents(shop.url, reference)

    expect(await shop.deliver(transferCompleted({ reference, rawAmount }))).toBe(200)

    const view = await events.until(({ journal }) => journal.length > 0)
    expect(view).toMatchObject({ status: 'pending', shipments: [] })
    expect(view.journal[0]?.text).toContain(text)
  })

  test('S33 shows a payment in another currency and does not ship', async () => {
    const shop = await startShop()
    const { reference, rawAmount } = await shop.buy('gift-box')
    const events = await openEvents(shop.url, reference)

    await shop.deliver(transferCompleted({ reference, rawAmount, amount: '0.025', asset: 'TON' }))

    const view = await events.until(({ journal }) => journal.length > 0)
    expect(view).toMatchObject({ status: 'pending', amount: '25 USD₮', shipments: [] })
    expect(view.journal[0]?.text).toContain('another currency than USD₮')
  })

  test('S40 shows a second payment and does not ship again', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('hoodie')
    const events = await openEvents(shop.url, reference)
    await shop.deliver(transferCompleted({ reference, txHash: TX_HASH }))
    await events.until(isShipped)

    const other = 'b2'.repeat(32)
    expect(await shop.deliver(transferCompleted({ reference, txHash: other }))).toBe(200)

    const view = await events.until(({ journal }) => journal.length > 2)
    expect(view.journal[2]?.text).toContain(other)
    expect(view.txHash).toBe(TX_HASH)
    expect(view.shipments).toHaveLength(1)
  })

  test('S7 rejects a webhook with another signature with 401 and changes nothing', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('hoodie')

    expect(await shop.deliver(transferCompleted({ reference }), `${SECRET}x`)).toBe(401)

    expect(await shop.view(reference)).toMatchObject({ status: 'pending', journal: [] })
  })

  test('S25 S56 matches a payment that arrived before its order when the order is stored', async () => {
    const createTransfer = () => Promise.resolve({ reference: 'quick-buyer' })
    const shop = await startShop({ gateway: { createTransfer } })
    const payload = transferCompleted({ reference: 'quick-buyer', txHash: TX_HASH })

    expect(await shop.deliver(payload)).toBe(200)
    const placed = await shop.buy('hoodie')

    expect(placed).toMatchObject({ status: 'completed', txHash: TX_HASH })
    const events = await openEvents(shop.url, 'quick-buyer')
    expect((await events.until(isShipped)).shipments).toHaveLength(1)
  })
})

describe('live events', () => {
  test('sends the current order first, and no other orders', async () => {
    const shop = await startShop()
    const [mine, other] = [await shop.buy('mug'), await shop.buy('hoodie')]

    const events = await openEvents(shop.url, mine.reference)
    expect(events.contentType).toBe('text/event-stream')
    expect(await events.until(() => true)).toMatchObject({
      product: 'Enamel mug',
      status: 'pending',
    })

    await shop.deliver(transferCompleted({ reference: other.reference, txHash: TX_HASH }))
    const { reference } = mine
    await shop.deliver(transferCompleted({ reference, amount: '2.25', rawAmount: '2250000000' }))
    expect(await events.until(() => true)).toMatchObject({ reference, status: 'completed' })
  })

  test('S30 sends the order after a failure with an unknown status', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('hoodie')
    const events = await openEvents(shop.url, reference)
    await events.until(() => true)

    expect(await shop.deliver(transferCompleted({ reference, status: 'SUCCESS' }))).toBe(200)

    expect(await events.until(({ status }) => status === 'failed')).toMatchObject({
      shipments: [],
    })
  })

  test('S52 ends the streams of open pages when the shop is closed', async () => {
    const shop = await startShop()
    const { reference } = await shop.buy('mug')
    const events = await openEvents(shop.url, reference)

    await shop.shop.close()

    expect(await events.rest()).toMatchObject([{ reference, status: 'pending' }])
  })
})
