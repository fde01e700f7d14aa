import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './lossless-json.js'

// Strings similar to numbers, ends of strings or escapes, and any others.
const trickyString = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[\s:,[\]{}"\\.eE+-]*\d{14,20}[\s:,[\]{}"\\.eE+-]*$/),
  fc.stringMatching(/^(?:\\|"|\\"|\\\\|: 1234567890123456|,-9007199254740993,){0,8}$/),
)
const blank = fc.stringMatching(/^[ \t\n\r]{0,3}$/)
const integer = fc.stringMatching(/^-?[1-9]\d{0,40}$/)

/** JSON values whose numbers are exact in a `number`. */
const exactJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -0),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !isLong(number)),
    trickyString,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(trickyString, tie('value'), { maxKeys: 5 }),
  ),
})).value

/** Returns true for a number that JSON writes as an integer of 16 digits or more. */
function isLong(number: number): boolean {
  return /^-?\d{16,}$/.test(JSON.stringify(number))
}

/** JSON with integers of any length, and the same with all long ones in quotes. */
const withIntegers = fc.letrec<{ value: [text: string, expected: string] }>((tie) => {
  const list = fc.array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 })
  const padded = (items: readonly [string, [string, string], string][], which: 0 | 1): string =>
    items.map(([before, value, after]) => `${before}${value[which]}${after}`).join(',')
  const pair = (text: string): [string, string] => [text, text]
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      integer.map((text): [string, string] => [
        text,
        text.replace('-', '').length >= 16 ? `"${text}"` : text,
      ]),
      trickyString.map((text) => pair(JSON.stringify(text))),
      fc.stringMatching(/^-?[1-9]\d{15,20}(?:\.\d{1,20}|[eE][+-]?\d{1,20})$/).map(pair),
      fc.stringMatching(/^-?0\.\d{1,20}(?:[eE][+-]?\d{1,20})?$/).map(pair),
      list.map((items): [string, string] => [`[${padded(items, 0)}]`, `[${padded(items, 1)}]`]),
      fc.tuple(trickyString, blank, tie('value')).map(([key, space, value]): [string, string] => {
        const start = `{${JSON.stringify(key)}${space}:${space}`
        return [`${start}${value[0]}}`, `${start}${value[1]}}`]
      }),
    ),
  }
}).value

describe('parseJson', () => {
  it('equals JSON.parse for all input without long integers', () => {
    fc.assert(
      fc.property(exactJson, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        expect(parseJson(text)).toStrictEqual(JSON.parse(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps every digit of long integers and does not change strings, fractions and exponents', () => {
    fc.assert(
      fc.property(withIntegers, blank, ([text, expected], space) => {
        expect(parseJson(space + text + space)).toStrictEqual(JSON.parse(expected))
      }),
      { numRuns: 5000 },
    )
  })

  it('rejects exactly what JSON.parse rejects', () => {
    const pieces = [
      '1234567890123456',
      '-9007199254740993',
      '0000000000000001',
      '"a"',
      '"1234567890123456"',
    ]
    const piece = fc.constantFrom(...'{}[]:,"\\ -+.e01'.split(''), 'null', ...pieces)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (parts) => {
        const text = parts.join('')
        expect(refuses(parseJson, text)).toBe(refuses(JSON.parse, text))
      }),
      { numRuns: 20_000 },
    )
  })

  it.each([
    '{ 1234567890123456:1}',
    '{"a":1,1234567890123456 : 2}',
    '{"a":1,\n-1234567890123456\t:2}',
    '[ 0123456789012345]',
    '[1234567890123456 1]',
    '1234567890123456,',
    '[- 1234567890123456]',
  ])('rejects %s, which quotes would make valid', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', '1000000000000000'],
    [
      '{"index":115792089237316195423570985008687907853269984665640564039457584007913129639935}',
      {
        index: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      },
    ],
    [
      '[1.00000000000000000001,1e1000000000000000,1234567890123456.5]',
      [1, Infinity, 1234567890123456.5],
    ],
    ['[1e-1234567890123456, 1E-1234567890123456]', [0, 0]],
    [
      String.raw`["\\",1234567890123456,"\"",-1234567890123456]`,
      ['\\', '1234567890123456', '"', '-1234567890123456'],
    ],
    [
      String.raw`["\", 1234567890123456 \\", "pay 1234567890123456"]`,
      ['", 1234567890123456 \\', 'pay 1234567890123456'],
    ],
    ['{"__proto__":1234567890123456}', JSON.parse('{"__proto__":"1234567890123456"}')],
  ])('reads %s', (text, value) => {
    expect(parseJson(text)).toStrictEqual(value)
  })

  it('finds an integer of 16 digits at any position, and keeps one of 15 before it', () => {
    for (let offset = 0; offset <= 64; offset++) {
      const blank = ' '.repeat(offset)
      expect(parseJson(`${blank}9007199254740993`)).toBe('9007199254740993')
      expect(parseJson(`[999999999999999,${blank}9007199254740993]`)).toStrictEqual([
        999_999_999_999_999,
        '9007199254740993',
      ])
    }
  })

  it('scans the input once, for any number of long integers and quotes', () => {
    const integers = `[${'1234567890123456,'.repeat(100_000)}1]`
    const strings = `[${'"\\"\\\\", 1234567890123456,'.repeat(100_000)}1]`
    const startedMs = performance.now()
    expect(parseJson(integers)).toHaveLength(100_001)
    expect(parseJson(strings)).toHaveLength(200_001)
    // Some tens of milliseconds; minutes if each search started at the beginning.
    expect(performance.now() - startedMs).toBeLessThan(30_000)
  })
})

function refuses(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text)
    return false
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}
