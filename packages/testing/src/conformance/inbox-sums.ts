import assert from 'node:assert/strict'
import type { DecisionOf, Inbox, InboxSums } from '@tonplug/core'
import { makeCredit } from './credit-fixtures.js'
import { makeMismatch, makePaid, MARGIN_MS, NAME, storeDecided } from './inbox-fixtures.js'
import type { InboxHarness } from './inbox-harness.js'
import type { Suite } from './runner.js'

const NONE: InboxSums = { credits: [], prices: [], unpriced: 0 }
const ORDER = { name: NAME, merchant: '', reference: 'order-1' }
const ALWAYS = { fromMs: 0, beforeMs: Date.UTC(2100) }
/** Begins with credits in one second and ends in another one. */
const PERIOD = { fromMs: 20_000, beforeMs: 40_000 }

/** sums: the money and the prices of a period. */
export function describeSums(suite: Suite<InboxHarness>): void {
  suite.describe('sums', () => {
    describeCreditSums(suite)
    describePriceSums(suite)
  })
}

function describeCreditSums({ test }: Suite<InboxHarness>): void {
  test('sums the credits of a period by asset, to the digit', async ({ inbox }) => {
    await inbox.credits.store([
      makeCredit({ id: '1', utime: 19 }),
      makeCredit({ id: '2', utime: 20, rawAmount: 2n ** 200n }),
      makeCredit({ id: '3', utime: 39 }),
      makeCredit({ id: '4', utime: 30, asset: '0:ab', rawAmount: 7n }),
      makeCredit({ id: '5', utime: 40 }),
    ])
    const { credits } = await inbox.sums({ name: NAME, ...PERIOD })
    assert.deepEqual(credits, [
      { asset: '0:ab', rawAmount: 7n, count: 1 },
      { asset: 'TON', rawAmount: 2n ** 200n + 5n, count: 2 },
    ])
    assert.deepEqual(await inbox.sums({ name: NAME, fromMs: 41_000, beforeMs: 50_000 }), NONE)
  })
  test('S60 sums the credits of one Payments and of no order', async ({ inbox }) => {
    await inbox.credits.store([
      makeCredit({ id: '1', rawAmount: 1n }),
      makeCredit({ id: '2', rawAmount: 2n, order: ORDER }),
      makeCredit({ id: '3', rawAmount: 4n, order: { ...ORDER, name: 'other' } }),
      makeCredit({ id: '4', rawAmount: 8n }),
      makeCredit({ id: '5', rawAmount: 16n, order: { ...ORDER, name: 'other' } }),
    ])
    const claims = [
      { ...ORDER, name: 'other', payments: ['credit:4'] },
      { ...ORDER, payments: ['credit:5'] },
    ]
    for (const claim of claims) assert.equal(await inbox.credits.claim(claim), true)
    assert.equal(await sumOf(inbox, NAME), 1n + 2n + 16n)
    assert.equal(await sumOf(inbox, 'other'), 1n + 4n + 8n + 16n)
  })
  test('S60 S137 sums a credit that a refund has released as a credit of no order', async ({
    inbox,
  }) => {
    const refund = { ...ORDER, name: 'other', reference: '["refund","1",1]' }
    await inbox.credits.store([makeCredit()])
    const claim = { ...refund, kind: 'refund', payments: ['credit:1'] } as const
    assert.equal(await inbox.credits.claim(claim), true)
    assert.deepEqual([await sumOf(inbox, NAME), await sumOf(inbox, 'other')], [undefined, 5n])
    await inbox.credits.release({ ...refund, credit: '1' })
    assert.deepEqual([await sumOf(inbox, NAME), await sumOf(inbox, 'other')], [5n, 5n])
  })
}

function describePriceSums({ test }: Suite<InboxHarness>): void {
  test('S127 sums the prices of paid orders by currency, to the digit', async ({ inbox }) => {
    const prices = ['12.50', '0.1', '0.2', '7', undefined, 'much']
    for (const [index, orderPrice] of prices.entries()) {
      const currency = orderPrice === '7' ? 'EUR' : 'USD'
      await storeDecided(inbox, {
        key: `paid-${index}`,
        decision: paidWith(orderPrice, currency),
      })
    }
    await storeDecided(inbox, { key: 'other', decision: makeMismatch() })
    await storeDecided(inbox, { key: 'theirs', name: 'other', decision: paidWith('3', 'USD') })
    const { prices: sums, unpriced } = await inbox.sums({ name: NAME, ...ALWAYS })
    assert.deepEqual(sums, [
      { currency: 'EUR', price: '7', count: 1 },
      { currency: 'USD', price: '12.8', count: 3 },
    ])
    assert.equal(unpriced, 2)
  })
  test('sums the prices of orders that were paid within the period', async (harness) => {
    const { inbox, advance } = harness
    const times: number[] = []
    for (const [index, price] of ['1', '2', '4'].entries()) {
      const decision = paidWith(price, 'USD')
      const { receivedAtMs } = await storeDecided(inbox, { key: `paid-${index}`, decision })
      times.push(receivedAtMs)
      await advance(MARGIN_MS)
    }
    const [, fromMs = 0, beforeMs = 0] = times
    const { prices } = await inbox.sums({ name: NAME, fromMs, beforeMs })
    assert.deepEqual(prices, [{ currency: 'USD', price: '2', count: 1 }])
  })
}

async function sumOf(inbox: Inbox, name: string): Promise<bigint | undefined> {
  const [sum] = (await inbox.sums({ name, ...ALWAYS })).credits
  return sum?.rawAmount
}

/** @param orderPrice absent for an order without a price */
function paidWith(orderPrice: string | undefined, currency: string): DecisionOf<'paid'> {
  const paid = makePaid()
  if (orderPrice === undefined) return paid
  const rate = { price: '5', currency, at: '2026-01-05T12:00:00.000Z', orderPrice }
  return { ...paid, offer: { rawAmount: paid.expected, asset: 'TON', rate } }
}
