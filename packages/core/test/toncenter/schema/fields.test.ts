import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driftOf, parse, safeParse } from './read-schema.js'
import { runResult } from '../../../src/toncenter/v2/schemas/run-method.js'
import * as field from '../../../src/toncenter/schema/fields.js'

const HASH = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const HUGE = '115792089237316195423570985008687907853269984665640564039457584007913129639936'

describe('bigintField', () => {
  it.each([
    ['0', 0n],
    ['-1', -1n],
    [HUGE, BigInt(HUGE)],
    ['-9223372036854775808', -(2n ** 63n)],
    [0, 0n],
    [-239, -239n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
  ])('reads %j', (value, read) => {
    expect(parse(field.bigint, value)).toBe(read)
  })

  it.each([
    '',
    ' 1',
    '1.0',
    '+1',
    '0x1',
    '1e3',
    1.5,
    2 ** 53,
    Number.NaN,
    true,
    null,
    undefined,
    {},
  ])('refuses %j', (value) => {
    expect(safeParse(field.bigint, value).success).toBe(false)
  })
})

describe('bigintField of many digits', () => {
  it('reads as BigInt does, and refuses all but digits, at every length', () => {
    // Up to three digits may be something else.
    const text = fc
      .tuple(
        fc.stringMatching(/^-?\d{0,22}$/),
        fc.array(fc.tuple(fc.nat(22), fc.string()), { maxLength: 3 }),
      )
      .map(([digits, changes]) =>
        changes.reduce((one, [at, other]) => one.slice(0, at) + other + one.slice(at + 1), digits),
      )
    fc.assert(
      fc.property(text, (one) => {
        const read = safeParse(field.bigint, one)
        expect(read.success ? read.data : undefined).toBe(
          /^-?\d+$/.test(one) ? BigInt(one) : undefined,
        )
      }),
      { numRuns: 5000 },
    )
  })

  it('reads more than the network has', () => {
    expect(parse(field.bigint, '9'.repeat(1000))).toBe(10n ** 1000n - 1n)
  })

  it('refuses as many as would take long', () => {
    expect(safeParse(field.bigint, '9'.repeat(1001)).success).toBe(false)
    expect(safeParse(field.bigint, `-${'9'.repeat(1_000_000)}`).success).toBe(false)
  })
})

describe('intField', () => {
  it.each([
    [5, 5],
    [-239, -239],
    ['698983191', 698_983_191],
  ])('reads %j', (value, read) => {
    expect(parse(field.int, value)).toBe(read)
  })

  it.each(['', '9007199254740993', 1.5, '1.5', 2 ** 53, null, undefined, true])(
    'refuses %j',
    (value) => {
      expect(safeParse(field.int, value).success).toBe(false)
    },
  )
})

describe('emptyableIntField', () => {
  it.each([
    ['', 0],
    ['0', 0],
    [7, 7],
  ])('reads %j', (value, read) => {
    expect(parse(field.emptyableInt, value)).toBe(read)
  })

  it.each([' ', 'x', null, undefined])('refuses %j', (value) => {
    expect(safeParse(field.emptyableInt, value).success).toBe(false)
  })
})

describe('hashField', () => {
  it('reads base64 of 256 bits', () => {
    expect(parse(field.hash, HASH)).toBe(HASH)
  })

  it.each(['', HASH.slice(0, 43), HASH.replace('/', '_'), `${HASH}=`, 5, null])(
    'refuses %j',
    (value) => {
      expect(safeParse(field.hash, value).success).toBe(false)
    },
  )

  it('may be empty where the wire has it so', () => {
    expect(parse(field.emptyableHash, '')).toBe('')
    expect(safeParse(field.emptyableHash, 'x').success).toBe(false)
  })
})

describe('optionalField', () => {
  const schema = field.object({ lt: field.optional(field.bigint) })

  it('takes absent and null alike', () => {
    expect(parse(schema, {}).lt).toBeUndefined()
    expect(parse(schema, { lt: null }).lt).toBeUndefined()
    expect(parse(schema, { lt: '5' }).lt).toBe(5n)
  })

  it('refuses what is there and wrong', () => {
    expect(safeParse(schema, { lt: '' }).success).toBe(false)
  })
})

describe('emptyableField', () => {
  const schema = field.object({ in_msg: field.emptyable(field.object({ value: field.bigint })) })

  it.each([{}, { in_msg: null }, { in_msg: {} }])('counts %j as absent', (value) => {
    expect(parse(schema, value).in_msg).toBeUndefined()
  })

  it('reads what is there, and refuses what is wrong', () => {
    expect(parse(schema, { in_msg: { value: '5' } }).in_msg?.value).toBe(5n)
    expect(safeParse(schema, { in_msg: { vaule: '5' } }).success).toBe(false)
    expect(safeParse(schema, { in_msg: 'x' }).success).toBe(false)
  })
})

describe('defaultField', () => {
  const schema = field.object({ fees: field.withDefault(field.list(field.bigint), ['7']) })

  it.each([{}, { fees: null }])('reads the default for %j, as on the wire', (value) => {
    expect(parse(schema, value).fees).toEqual([7n])
  })

  it('reads what is there, and refuses what is wrong with its path', () => {
    expect(parse(schema, { fees: [] }).fees).toEqual([])
    expect(safeParse(schema, { fees: ['1', 'x'] }).issue?.path).toEqual(['fees', 1])
  })
})

describe('lenientField', () => {
  const schema = field.object({ hash: field.lenient('hash', field.hash) })

  it.each([{}, { hash: null }, { hash: 'x' }, { hash: {} }])('has no value in %j', (value) => {
    expect(parse(schema, value).hash).toBeUndefined()
  })

  it('tells about what it cannot read, not about what is absent', () => {
    const drifts = [undefined, null, HASH, 'x'].flatMap((hash) => driftOf(schema, { hash }))
    expect(drifts).toEqual(['hash: cannot be read'])
  })

  it('has the default of the field around it', () => {
    expect(parse(field.withDefault(field.lenient('', schema), {}), 'x')).toEqual({})
  })
})

describe('numberField and shardField', () => {
  it.each([
    [1.5, 1.5],
    ['1716788421.25', 1_716_788_421.25],
    ['-3', -3],
  ])('reads the number %j', (value, read) => {
    expect(parse(field.number, value)).toBe(read)
  })

  it.each(['', 'x', '1.', '1e3', ' 1', null])('refuses the number %j', (value) => {
    expect(safeParse(field.number, value).success).toBe(false)
  })

  it('reads the digits of a shard, and a number that lost none', () => {
    expect(parse(field.shard, '-9223372036854775808')).toBe('-9223372036854775808')
    expect(parse(field.shard, 0)).toBe('0')
    expect(safeParse(field.shard, 2 ** 63).success).toBe(false)
  })
})

describe('enumField and variantField', () => {
  const schema = field.variants('state', '@type', {
    a: field.object({ amount: field.bigint, mood: field.oneOf('mood', ['good']) }),
  })

  it('reads the shape that the tag tells', () => {
    const value = { '@type': 'a', amount: '5', mood: 'good', more: 1 }
    expect(parse(schema, value)).toEqual({ ...value, amount: 5n })
    expect(driftOf(schema, value)).toEqual([])
  })

  it('passes unknown values and tags, and tells about them', () => {
    expect(driftOf(schema, { '@type': 'a', amount: '5', mood: 'bad' })).toEqual([
      'mood: unknown value "bad"',
    ])
    const unknown = { '@type': 'b', amount: 'x' }
    expect(parse(schema, unknown)).toEqual(unknown)
    expect(driftOf(schema, unknown)).toEqual(['state.@type: unknown value "b"'])
  })

  it('tells where inside the shape something is wrong', () => {
    const state = { '@type': 'a', amount: 'x' }
    const { issue } = safeParse(field.object({ state: schema }), { state })
    expect(issue?.path).toEqual(['state', 'amount'])
  })

  it.each([null, 'a', {}, { '@type': 5 }])('refuses %j', (value) => {
    expect(safeParse(schema, value).success).toBe(false)
  })
})

describe('a stack', () => {
  it('reports the place inside', () => {
    const failed = safeParse(runResult, { gas_used: 1, exit_code: 0, stack: [['num', 'x']] })
    expect(failed.issue).toEqual({
      path: ['stack', 0, 1],
      expected: 'an integer in decimal or 0x digits',
    })
  })
})
