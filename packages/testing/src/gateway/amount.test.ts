import { describe, expect, it } from 'vitest'
import { parseAmount } from './amount.js'

describe('parseAmount', () => {
  it.each([
    ['10.5', 9, 10_500_000_000n],
    ['0.1', 9, 100_000_000n],
    ['1', 0, 1n],
    ['1e-9', 9, 1n],
    ['1.5E-7', 9, 150n],
    ['1e+21', 6, 10n ** 27n],
    ['12345678901234567.123456789', 9, 12_345_678_901_234_567_123_456_789n],
    ['1.10', 1, 11n],
    ['0', 9, 0n],
  ])('reads %s with %i decimals', (text, decimals, rawAmount) => {
    expect(parseAmount(text, decimals)).toBe(rawAmount)
  })
  it.each(['1.0000000001', '-1', '', '1e', '0x10', 'NaN', ' 1', '.5', '5.', '1e1000000'])(
    'refuses %j',
    (text) => {
      expect(parseAmount(text, 9)).toBeUndefined()
    },
  )
})
