import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUnits, parseBaseUnits, toUnits } from './units.js'

const AMOUNT_ERROR = expect.objectContaining({ code: 'ERR_TONPLUG_AMOUNT' })
const rawAmounts = fc.bigInt({ min: 0n, max: 2n ** 256n })
const decimals = fc.integer({ min: 0, max: 255 })

describe('toUnits', () => {
  it.each([
    ['0', 9, 0n],
    ['10.5', 9, 10_500_000_000n],
    ['4.35', 9, 4_350_000_000n],
    ['0.000000001', 9, 1n],
    ['1.10', 2, 110n],
    ['7', 0, 7n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
    ['1329227995784915872903807060.280344576', 9, 2n ** 120n],
    [`0.${'0'.repeat(254)}1`, 255, 1n],
  ])('converts %s with %i decimals to the digit', (amount, count, rawAmount) => {
    expect(toUnits(amount, count)).toBe(rawAmount)
  })

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '+1',
    '-1',
    '1e9',
    '1E9',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '1_000',
    '0x10',
    '007',
    '00',
    '٣',
    '1٫5',
    'NaN',
    'Infinity',
    '1.0000000001',
    '1.0000000000',
    '9'.repeat(81),
  ])('rejects %j', (amount) => {
    expect(() => toUnits(amount, 9)).toThrow(AMOUNT_ERROR)
  })

  it.each([10.5, 10n, null, undefined, ['1'], { toString: () => '1' }])(
    'rejects %s, which is not a string',
    (amount) => {
      expect(() => toUnits(amount as string, 9)).toThrow(AMOUNT_ERROR)
    },
  )

  it.each([-1, 1.5, 256, Number.NaN, '9', undefined])('rejects %s as decimals', (count) => {
    expect(() => toUnits('1', count as number)).toThrow(AMOUNT_ERROR)
    expect(() => formatUnits(1n, count as number)).toThrow(AMOUNT_ERROR)
  })

  it('states what was expected and what was received', () => {
    expect(() => toUnits('1.23', 1)).toThrow(
      'an amount must be whole coins with up to 1 decimals; received "1.23"',
    )
    expect(() => toUnits('1e9', 9)).toThrow(/must be whole coins .* for example '10.5'; received/)
  })
})

describe('formatUnits', () => {
  it.each([
    [10_500_000_000n, 9, '10.5'],
    [1n, 9, '0.000000001'],
    [1_000_000n, 6, '1'],
    [0n, 6, '0'],
    [7n, 0, '7'],
    [-500_000n, 6, '-0.5'],
    [2n ** 120n, 9, '1329227995784915872903807060.280344576'],
  ])('formats %i with %i decimals', (rawAmount, count, amount) => {
    expect(formatUnits(rawAmount, count)).toBe(amount)
  })

  it.each([10.5, '10', undefined])('rejects %s, which is not a bigint', (rawAmount) => {
    expect(() => formatUnits(rawAmount as unknown as bigint, 9)).toThrow(AMOUNT_ERROR)
  })
})

describe('units', () => {
  it('convert to whole coins and back without a lost digit', () => {
    fc.assert(
      fc.property(rawAmounts, decimals, (rawAmount, count) => {
        // 2^256 has 78 digits, so the whole coins have at most 80.
        expect(toUnits(formatUnits(rawAmount, count), count)).toBe(rawAmount)
      }),
    )
  })

  it('have one canonical form, which formatting returns', () => {
    fc.assert(
      fc.property(rawAmounts, decimals, fc.nat(20), (rawAmount, count, zeros) => {
        const amount = formatUnits(rawAmount, count)
        expect(amount).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        const [, fraction = ''] = amount.split('.')
        const padded = `${amount}${fraction === '' ? '.' : ''}${'0'.repeat(zeros)}`
        const isAllowed = !padded.endsWith('.') && fraction.length + zeros <= count
        expect(unitsOrCode(padded, count)).toBe(isAllowed ? rawAmount : 'ERR_TONPLUG_AMOUNT')
      }),
    )
  })

  it('reject or convert any string, and never return another number', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9.eE+\- ]{0,12}$/))
    fc.assert(
      fc.property(texts, decimals, (text, count) => {
        const result = unitsOrCode(text, count)
        const shown = typeof result === 'bigint' ? formatUnits(result, count) : result
        const canonical = text.includes('.') ? text.replace(/\.?0+$/, '') : text
        expect([canonical, 'ERR_TONPLUG_AMOUNT']).toContain(shown)
      }),
    )
  })
})

/** Returns the result, or the code of the error. */
function unitsOrCode(amount: string, count: number): bigint | string {
  try {
    return toUnits(amount, count)
  } catch (error) {
    return (error as { code: string }).code
  }
}

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
