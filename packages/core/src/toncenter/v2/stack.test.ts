import { readTestdata } from '@tonplug/test-support/testdata'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StackArgument, StackItem } from '../endpoint/stack.js'
import { Mismatch } from '../schema/mismatch.js'
import { legacyStackParam, readLegacyStack, readTypedStack, typedStackParam } from './stack.js'

const BOC = 'te6cckEBAQEAAgAAAEysuc0='
const MAX = 2n ** 256n - 1n
const MIN = -(2n ** 256n)

/** Returns the arguments as sent. @throws {Mismatch} */
const encode = (param: typeof legacyStackParam) => (stack: unknown) =>
  // Callers without types may pass anything.
  param.read(stack as StackArgument[], ({ expected, path }) => {
    throw new Mismatch(expected, stack, path)
  }) ?? []

const encodeLegacyStack = encode(legacyStackParam)
const encodeTypedStack = encode(typedStackParam)

/** Returns the error of a stack that is refused. */
function problemOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    return { path: error.path, expected: error.expected }
  }
}

/** Returns JSON as a server parses and serializes it. */
function sent(wire: unknown): unknown {
  return JSON.parse(JSON.stringify(wire))
}

const typedNumber = (number: string): unknown => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number },
})

describe('readLegacyStack', () => {
  it('reads a recorded answer', () => {
    const text = readTestdata('v2/runGetMethod.captured.json')
    const { result } = JSON.parse(text) as { result: { stack: unknown } }
    expect(readLegacyStack(result.stack)).toEqual([
      {
        type: 'cell',
        boc: 'te6cckEBAQEAJAAAQ4AOGJjtL7Yeql16Dx0DwQ6klk9ygjxTNHquJw02e3ALTnD+cOmL',
      },
    ])
  })

  it.each([
    ['0x1f', 31n],
    ['-0x1', -1n],
    ['0x0', 0n],
    ['-0X1F', -31n],
    ['123', 123n],
    ['0x' + 'f'.repeat(64), MAX],
  ])('reads the number %s', (text, value) => {
    expect(readLegacyStack([['num', text]])).toEqual([{ type: 'number', value }])
  })

  it('reads typed decimal entries inside a tuple and a list, and recognizes slices', () => {
    const inner = [
      typedNumber('-31'),
      { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: BOC } },
      { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: BOC } },
      { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
      { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [] } },
      { '@type': 'tvm.stackEntryUnsupported' },
    ]
    const items: StackItem[] = [
      { type: 'number', value: -31n },
      { type: 'slice', boc: BOC },
      { type: 'cell', boc: BOC },
      { type: 'null' },
      { type: 'tuple', items: [] },
      { type: 'unsupported' },
    ]
    expect(
      readLegacyStack([
        ['tuple', { '@type': 'tvm.tuple', elements: inner }],
        ['list', { '@type': 'tvm.list', elements: inner }],
      ]),
    ).toEqual([
      { type: 'tuple', items },
      { type: 'list', items },
    ])
  })

  it('reads an empty list as null, and an unknown type as unsupported', () => {
    const stack = [
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['unsupported', ''],
      ['continuation', {}],
    ]
    expect(readLegacyStack(stack)).toEqual([
      { type: 'null' },
      { type: 'unsupported' },
      { type: 'unsupported' },
    ])
  })

  it('reads null without a value, and numbers of JSON', () => {
    const typed = { '@type': 'tvm.stackEntryNumber', number: { number: -7 } }
    const stack = [['null'], ['null', null], ['num', 5], ['tuple', { elements: [typed] }]]
    expect(readLegacyStack(stack)).toEqual([
      { type: 'null' },
      { type: 'null' },
      { type: 'number', value: 5n },
      { type: 'tuple', items: [{ type: 'number', value: -7n }] },
    ])
    expect(readTypedStack([typed])).toEqual([{ type: 'number', value: -7n }])
  })

  it('reads tuples and lists without elements as empty', () => {
    const typed = [
      { '@type': 'tvm.stackEntryTuple', tuple: {} },
      { '@type': 'tvm.stackEntryList', list: { elements: null } },
      { '@type': 'tvm.stackEntryList' },
    ]
    const empty = [{ type: 'tuple', items: [] }, { type: 'null' }, { type: 'null' }]
    expect(readTypedStack(typed)).toEqual(empty)
    const pairs = [['tuple', {}], ['list', { elements: null }], ['list']]
    expect(readLegacyStack(pairs)).toEqual(empty)
  })

  it('does not look at the object beside the bytes of a cell', () => {
    const cell = ['cell', { bytes: BOC, object: { data: { b64: 5, len: 'x' }, refs: 7 } }]
    expect(readLegacyStack([cell])).toEqual([{ type: 'cell', boc: BOC }])
  })

  it.each([
    ['no array', { 0: ['num', '0x1'] }, [], 'an array'],
    ['no pair', ['num'], [0], 'a pair of a type and a value'],
    [
      'a number with a fraction',
      [
        ['num', '0x1'],
        ['num', '1.5'],
      ],
      [1, 1],
      'an integer in decimal or 0x digits',
    ],
    ['a number that lost digits', [['num', 2 ** 53]], [0, 1], 'an integer in decimal or 0x digits'],
    [
      'a number longer than any of the virtual machine',
      [['num', `0x${'f'.repeat(101)}`]],
      [0, 1],
      'an integer in decimal or 0x digits',
    ],
    ['a cell without bytes', [['cell', {}]], [0, 1, 'bytes'], 'a bag of cells in base64'],
    ['a tuple of no elements', [['tuple', { elements: 'x' }]], [0, 1, 'elements'], 'an array'],
    [
      'a bad number in a tuple in a list',
      [
        [
          'list',
          {
            elements: [{ '@type': 'tvm.stackEntryTuple', tuple: { elements: [typedNumber('')] } }],
          },
        ],
      ],
      [0, 1, 'elements', 0, 'tuple', 'elements', 0, 'number', 'number'],
      'an integer in decimal or 0x digits',
    ],
    [
      'an entry without a type',
      [['tuple', { elements: [{}] }]],
      [0, 1, 'elements', 0],
      'an object with @type',
    ],
  ])('says where the problem is: %s', (_, stack, path, expected) => {
    expect(problemOf(() => readLegacyStack(stack))).toEqual({ path, expected })
  })

  it('reads a stack that nests deeper than the call stack reaches', () => {
    const depth = 200_000
    let elements: unknown[] = [typedNumber('7')]
    for (let level = 1; level < depth; level++) {
      elements = [{ '@type': 'tvm.stackEntryTuple', tuple: { elements } }]
    }
    let items = readLegacyStack([['tuple', { elements }]])
    for (let level = 0; level < depth; level++) {
      const [item] = items
      if (item?.type !== 'tuple') throw new Error(`no tuple at level ${level}`)
      items = item.items
    }
    expect(items).toEqual([{ type: 'number', value: 7n }])
  })
})

describe('encodeLegacyStack', () => {
  it('sends numbers as strings, bare bytes for cells and slices, typed entries inside', () => {
    const stack: StackArgument[] = [
      { type: 'number', value: MIN },
      { type: 'cell', boc: BOC },
      { type: 'slice', boc: BOC },
      { type: 'null' },
      { type: 'tuple', items: [{ type: 'number', value: -5n }, { type: 'null' }] },
    ]
    expect(encodeLegacyStack(stack)).toEqual([
      ['num', MIN.toString()],
      ['tvm.Cell', BOC],
      ['tvm.Slice', BOC],
      ['list', { '@type': 'tvm.list', elements: [] }],
      [
        'tuple',
        {
          '@type': 'tvm.tuple',
          elements: [
            typedNumber('-5'),
            { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
          ],
        },
      ],
    ])
  })

  it('takes a bag of cells in base64url and as bytes', () => {
    const bytes = new Uint8Array([0xb5, 0xee, 0x9c, 0x72, 0xff, 0xfe])
    const stack: StackArgument[] = [
      { type: 'cell', boc: bytes },
      { type: 'slice', boc: 'te6ccv_-' },
    ]
    expect(encodeLegacyStack(stack)).toEqual([
      ['tvm.Cell', 'te6ccv/+'],
      ['tvm.Slice', 'te6ccv/+'],
    ])
  })

  // What JavaScript callers may hand over, whatever the types say.
  it.each([
    ['unsupported', [{ type: 'unsupported' }], [0, 'type']],
    ['a builder', [{ type: 'builder', boc: BOC }], [0, 'type']],
    [
      'a builder inside a tuple',
      [{ type: 'tuple', items: [{ type: 'builder' }] }],
      [0, 'items', 0, 'type'],
    ],
    ['a JavaScript number', [{ type: 'number', value: 5 }], [0, 'value']],
    ['258 bits', [{ type: 'number', value: MAX + 1n }], [0, 'value']],
    ['258 negative bits', [{ type: 'number', value: MIN - 1n }], [0, 'value']],
    ['an empty bag of cells', [{ type: 'cell', boc: '' }], [0, 'boc']],
    ['no bag of cells', [{ type: 'slice', boc: 'AAAA' }], [0, 'boc']],
    ['base64 that was cut', [{ type: 'cell', boc: 'te6cc' }], [0, 'boc']],
    ['a pair', [['num', '5']], [0]],
    ['a tuple without items', [{ type: 'tuple' }], [0, 'items']],
    ['no array', 'x', []],
  ])('refuses before anything is sent: %s', (_, stack, path) => {
    expect(problemOf(() => encodeLegacyStack(stack))).toMatchObject({ path })
    expect(problemOf(() => encodeTypedStack(stack))).toMatchObject({ path })
  })

  it('refuses what nests deeper than JSON can be written, or contains itself', () => {
    const cycle: { type: 'tuple'; items: StackArgument[] } = { type: 'tuple', items: [] }
    cycle.items.push(cycle, cycle)
    const expected = 'at most 500 levels'
    expect(problemOf(() => encodeLegacyStack([cycle]))).toMatchObject({ expected })
    expect(encodeLegacyStack([nested(499)])).toHaveLength(1)
    expect(problemOf(() => encodeLegacyStack([nested(500)]))).toMatchObject({ expected })
  })
})

describe('both directions', () => {
  it('a stack sent in the typed notation comes back the same', () => {
    fc.assert(
      fc.property(stacks, (stack) => {
        const returned = readTypedStack(sent(encodeTypedStack(stack)))
        expect(returned).toEqual(stack.map(asReturned))
      }),
    )
  })

  it('a stack sent in the legacy notation comes back the same, its top slices as cells', () => {
    fc.assert(
      fc.property(stacks, (stack) => {
        const wire = sent(encodeLegacyStack(stack)) as [string, unknown][]
        const expected = stack
          .map(asReturned)
          .map((item) => (item.type === 'slice' ? { ...item, type: 'cell' } : item))
        expect(readLegacyStack(wire.map(answerPair))).toEqual(expected)
      }),
    )
  })

  it('stays exact at 499 levels', () => {
    const wire = sent(encodeTypedStack([nested(499)]))
    expect(sent(encodeTypedStack(readTypedStack(wire)))).toEqual(wire)
  })
})

describe('the parameters of endpoints', () => {
  it('point into the stack and name what belongs there', () => {
    const issues: unknown[] = []
    const refuse = (issue: unknown): undefined => void issues.push(issue)
    expect(legacyStackParam.read([{ type: 'number', value: 1n }], refuse)).toEqual([['num', '1']])
    expect(issues).toEqual([])
    legacyStackParam.read([{ type: 'cell', boc: 'x' }], refuse)
    expect(issues).toMatchObject([{ path: [0, 'boc'], expected: expect.stringMatching(/^a bag/) }])
  })
})

const bocs = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes) => `te6cckEB${btoa(String.fromCharCode(...bytes))}`)

const stacks = fc.letrec<{ argument: StackArgument; items: StackArgument[] }>((tie) => ({
  argument: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    fc.record({ type: fc.constant('null') }),
    fc.record({ type: fc.constant('number'), value: fc.bigInt({ min: MIN, max: MAX }) }),
    fc.record({ type: fc.constantFrom('cell', 'slice'), boc: bocs }),
    fc.record({ type: fc.constantFrom('tuple', 'list'), items: tie('items') }),
  ),
  items: fc.array(tie('argument'), { maxLength: 4 }),
})).items

function nested(levels: number): StackArgument {
  let argument: StackArgument = { type: 'number', value: 1n }
  for (let level = 0; level < levels; level++) argument = { type: 'tuple', items: [argument] }
  return argument
}

/** Returns the legacy response to the request `pair`. */
function answerPair([type, value]: [string, unknown]): unknown {
  if (type === 'tvm.Cell' || type === 'tvm.Slice') return ['cell', { bytes: value, object: {} }]
  if (type !== 'num') return [type, value]
  const number = BigInt(String(value))
  return ['num', number < 0n ? `-0x${(-number).toString(16)}` : `0x${number.toString(16)}`]
}

/** An argument as an item: an empty list is null. */
function asReturned(argument: StackArgument): StackItem {
  if (argument.type === 'list' && argument.items.length === 0) return { type: 'null' }
  if (argument.type === 'cell' || argument.type === 'slice') {
    // The arguments of these tests are base64.
    return { type: argument.type, boc: argument.boc as string }
  }
  if (argument.type !== 'list' && argument.type !== 'tuple') return argument
  return { type: argument.type, items: argument.items.map(asReturned) }
}
