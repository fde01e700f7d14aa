import { describe, expect, it } from 'vitest'
import { amountsAgree, parseBaseUnits } from './amount.js'

const JETTON = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'

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
  ])('S31 does not take %j for an amount', (text) => {
    expect(parseBaseUnits(text)).toBeUndefined()
  })
})

describe('amountsAgree', () => {
  it.each([
    ['10.5', 10_500_000_000n],
    ['10.500', 10_500_000_000n],
    ['0.000000001', 1n],
    ['0', 0n],
    ['1000000000', 10n ** 18n],
  ])('takes %s TON for its nanotons', (amount, rawAmount) => {
    expect(amountsAgree(amount, rawAmount, 'TON')).toBe(true)
  })

  it.each([
    ['10.5', 10_500_000_001n],
    ['10.5', 10_500_000n],
    ['0.0000000001', 1n],
    ['1e1', 10_000_000_000n],
    ['', 0n],
    ['-1', 1n],
    ['10,5', 10_500_000_000n],
  ])('S31 sees that %j TON is not %s nanotons', (amount, rawAmount) => {
    expect(amountsAgree(amount, rawAmount, 'TON')).toBe(false)
  })

  it.each([
    ['10.5', 10_500_000n],
    ['10.5', 105n],
    ['10.5', 10_500_000_000_000_000_000n],
    ['100', 100n],
    ['0.0', 0n],
  ])('takes %s of a jetton for %s base units of some number of decimals', (amount, rawAmount) => {
    expect(amountsAgree(amount, rawAmount, JETTON)).toBe(true)
  })

  it.each([
    ['10.5', 10_600_000n],
    ['100', 10n],
    ['1', 0n],
    ['0', 1n],
  ])(
    'S31 sees that no number of decimals makes %s of a jetton %s base units',
    (amount, rawAmount) => {
      expect(amountsAgree(amount, rawAmount, JETTON)).toBe(false)
    },
  )
})
