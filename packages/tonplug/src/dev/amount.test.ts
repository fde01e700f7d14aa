import { describe, expect, it } from 'vitest'
import { baseUnits, wholeCoins } from './amount.js'

describe('amounts', () => {
  it.each([
    ['10.5', 9, 10_500_000_000n],
    ['0.000001', 6, 1n],
    ['7', 0, 7n],
    ['1329227995784915872903807060.280344576', 9, 2n ** 120n],
  ])('are exact: %s with %i decimals', (text, decimals, rawAmount) => {
    expect(baseUnits(text, decimals)).toBe(rawAmount)
    expect(wholeCoins(rawAmount, decimals)).toBe(text)
  })

  it.each(['0.0000001', '1,5', '-1', '1e3', '.5', '5.', '', ' 1', '0x1'])(
    'are not %j with 6 decimals',
    (text) => {
      expect(baseUnits(text, 6)).toBeUndefined()
    },
  )
})
