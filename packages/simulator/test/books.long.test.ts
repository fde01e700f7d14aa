import { nightSize } from '@tonplug/test-support/night-size'
import { describe, expect, it } from 'vitest'
import { expectBalanced, expectExported, openBooks, trade } from './mixed-books.js'

/** More than a page of the index. */
const PAYMENTS = nightSize(1200, 10_000)

describe('operator.balance', () => {
  it(`S123 agrees with the chain to the last unit after ${PAYMENTS} mixed payments`, async () => {
    const shop = await openBooks()
    await trade(shop, PAYMENTS)
    expect(shop.expected.payments).toBe(PAYMENTS)
    await expectBalanced(shop)
    await expectExported(shop)
  }, 3_600_000)
})
