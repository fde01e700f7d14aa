import { describe, expect, it } from 'vitest'
import { partsUpTo, type Part } from './add-up.js'

const partsOf = (...amounts: bigint[]): Part[] =>
  amounts.map((amount) => ({ amount, credit: `${amount}`, asset: 'TON', isUsed: false }) as Part)

describe('the parts that reach a price', () => {
  it.each([
    ['end with the part that reaches it exactly', [6n, 4n, 5n], [6n, 4n]],
    ['end with the part that exceeds it', [6n, 7n, 5n], [6n, 7n]],
    ['are one part that reaches it alone', [10n, 1n], [10n]],
    ['are all parts when their sum is too low', [6n, 3n], [6n, 3n]],
  ])('S132 add up to the price: %s', (_, amounts, needed) => {
    expect(partsUpTo(10n, partsOf(...amounts)).map(({ amount }) => amount)).toEqual(needed)
  })
})
