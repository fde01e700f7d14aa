import { describe, expect, it } from 'vitest'
import { parseBaseUnits } from './base-units.js'

describe('parseBaseUnits', () => {
  it.each([
    ['0', 0n],
    ['10500000000', 10_500_000_000n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['1329227995784915872903807060280344576', 2n ** 120n],
    ['9'.repeat(80), 10n ** 80n - 1n],
  ])('reads %s to the digit', (text, amount) => {
    expect(parseBaseUnits(text)).toBe(amount)
  })

  it.each([
    '',
    '-1',
    '+1',
    '1e9',
    '10.5',
    '0x10',
    '007',
    '00',
    ' 1',
    '1\n',
    '1_000',
    '١',
    '9'.repeat(81),
  ])('S31 rejects %j', (text) => {
    expect(parseBaseUnits(text)).toBeUndefined()
  })
})
