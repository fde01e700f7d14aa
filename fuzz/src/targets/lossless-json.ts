import assert from 'node:assert/strict'
import { parseJson } from '../../../packages/core/src/toncenter/transport/lossless-json.js'
import { isDeep, nest, repeat, type Target, textOf, wrap } from '../target.js'

/** A reviver that receives the source text of a number; Node 20 does not pass it. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const isSourceTold = parse('1', (_key, _value, context) => context?.source) === '1'

export const losslessJsonTarget: Target = {
  name: 'lossless-json',
  words: [
    '1234567890123456',
    '-9007199254740993',
    '123456789012345',
    '0',
    '-',
    '.',
    'e',
    'E+',

    '"',
    '\\"',
    '\\\\',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    ' ',
    '\n',
    'null',
    '"a":',
    '"__proto__":',
    '"1234567890123456',
    '1234567890123456"',
    '\u2028',
    'true',
    '\\u0022',
  ],
  grow: {
    integers: (bytes) => wrap('[', '1234567890123456,', '1]', bytes),
    digits: (bytes) => repeat('1', bytes),
    'short runs': (bytes) => wrap('[', '123456789012345,', '1]', bytes),
    'blanks behind digits': (bytes) => wrap('[1234567890123456', ' ', ']', bytes),
    'strings of digits': (bytes) => wrap('[', '"1234567890123456",', '1]', bytes),
    'strings among integers': (bytes) => wrap('[', '"",1234567890123456,', '1]', bytes),
    backslashes: (bytes) => wrap('["', '\\\\', '",1234567890123456]', bytes),
    'escaped quotes': (bytes) => wrap('["', '\\"', '",1234567890123456]', bytes),
    'open strings': (bytes) => repeat('"\\"1234567890123456', bytes),
    nesting: (bytes) => nest('[', '1234567890123456', ']', bytes),
  },
  check(input) {
    const text = textOf(input)
    const expected = tryTo(() => JSON.parse(text))
    const found = tryTo(() => parseJson(text))
    assert.equal(found.isRefused, expected.isRefused, 'it is JSON for one of the two parsers only')
    if (expected.isRefused || isDeep(input) || !isSourceTold) return
    assert.deepEqual(found.value, quoted(text))
  },
}

function tryTo(run: () => unknown): { isRefused: boolean; value: unknown } {
  try {
    return { isRefused: false, value: run() }
  } catch (error) {
    if (error instanceof SyntaxError) return { isRefused: true, value: undefined }
    throw error
  }
}

/** Returns the value with long integers as strings, based on the source text that the parser passes. */
function quoted(text: string): unknown {
  return parse(text, (_key, value, context) => {
    const source = context?.source
    return typeof value === 'number' && /^-?\d{16,}$/.test(source ?? '') ? source : value
  })
}
