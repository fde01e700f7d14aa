import type { Schema } from '../../src/toncenter/schema/fields.js'
import {
  readAddress,
  readBigint,
  readBool,
  readBytes,
  readEmptyableHash,
  readEmptyableInt,
  readFlag,
  readHash,
  readInt,
  readNumber,
  readOpcode,
  readShard,
  readString,
  readStringOrObject,
} from '../../src/toncenter/schema/readers.js'
import { readLegacyStack, readTypedStack } from '../../src/toncenter/v2/stack.js'
import { readStack } from '../../src/toncenter/v3/stack.js'

const HASH = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const UINT256 = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
const TYPED = { '@type': 'tvm.stackEntryNumber', number: { number: '-12' } }

/** JSON that each reader accepts. */
const VALUES: readonly (readonly [read: unknown, values: readonly unknown[]])[] = [
  [readBigint, ['0', '-1', '999999999', '1000000000', '123456789012345', UINT256, 7, -239]],
  [readInt, [0, -1, 1_784_332_060, '698983191', '-1']],
  [readEmptyableInt, [5, '', '17']],
  [readNumber, [0, 1.5, -2, '-3.25']],
  [readShard, ['-9223372036854775808', 0]],
  [readString, ['', 'ключ']],
  [readAddress, ['', 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF']],
  [readBytes, ['', 'te6cckEBAQEAAgAAAEysuc0=']],
  [readBool, [true, false]],
  [readFlag, [true, false, 'true', 'false', -1, 0, 1]],
  [readHash, [HASH, `${'A'.repeat(43)}=`]],
  [readEmptyableHash, ['', HASH]],
  [readStringOrObject, ['ipfs://x', { name: 'x' }]],
  [readOpcode, ['0x0f8a7ea5', 5, -1]],
  [readLegacyStack, [[], [['num', '-0x1f']], [['list', { elements: [TYPED] }]]]],
  [readTypedStack, [[], [TYPED]]],
  [readStack, [[], [{ type: 'num', value: '0x1' }]]],
]

/** Values that count as absent besides null. */
const ABSENT = { null: [], empty: [{}], unreadable: [[5]] } as const

/** Makes values that a schema reads, as parsed JSON. @param random repeatable, from 0 to below 1 */
export function createSampler(random: () => number): (schema: Schema) => unknown {
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new TypeError('nothing to pick from')
    return value
  }
  const some = <Value>(make: () => Value): Value[] =>
    Array.from({ length: Math.floor(random() * 3) }, make)

  const sample = (schema: Schema): unknown => {
    switch (schema.kind) {
      case 'value':
        return pick(valuesOf(schema.read))
      case 'any':
        return pick([null, 1, 'x', [], { a: [1] }])
      case 'enum':
        return pick([...schema.values, 'new'])
      case 'optional':
        return pick([null, ...ABSENT[schema.absent ?? 'null'], sample(schema.inner)])
      case 'default':
        return pick([null, sample(schema.inner)])
      case 'object':
        return sampleObject(schema.shape)
      case 'list':
      case 'map':
        return sampleCollection(schema)
      case 'tree':
        return sampleTree(schema, 3)
      case 'variants':
        return sampleVariant(schema)
      case 'tagged':
        return sampleTagged(schema)
    }
  }

  const sampleCollection = ({ kind, inner, absent }: Of<'list' | 'map'>): unknown => {
    const made =
      kind === 'list'
        ? some(() => sample(inner))
        : Object.fromEntries(some(() => [`0:${pick(['A', 'B', 'C'])}`, sample(inner)]))
    return absent === undefined ? made : pick([null, made])
  }

  const sampleObject = (shape: Of<'object'>['shape']): Record<string, unknown> => {
    const fields = Object.entries(shape).flatMap(([key, field]): [string, unknown][] => {
      const mayBeAbsent = field.kind === 'optional' || field.kind === 'default'
      return mayBeAbsent && pick([true, false, false]) ? [] : [[key, sample(field)]]
    })
    return Object.fromEntries([...fields, ...some((): [string, unknown] => ['not_described', [1]])])
  }

  const sampleVariant = ({ key, options }: Of<'variants'>): unknown => {
    const [tag, option] = pick([...Object.entries(options), ['new', undefined]] as const)
    return { ...(option === undefined ? { any: null } : objectOf(sample(option))), [key]: tag }
  }

  const sampleTagged = ({ fields, details: options }: Of<'tagged'>): unknown => {
    const [type, option] = pick([...Object.entries(options), ['new', undefined]] as const)
    const details = option === undefined ? { any: null } : sample(option)
    const given = pick([{}, { details: null }, { details }, { details }])
    return { ...objectOf(sample(fields)), type, ...given }
  }

  const sampleTree = ({ key, node }: Pick<Of<'tree'>, 'key' | 'node'>, depth: number): unknown => {
    const children =
      depth === 0 ? pick([null, []]) : some(() => sampleTree({ key, node }, depth - 1))
    return { ...objectOf(sample(node)), [key]: children }
  }

  return sample
}

type Of<Kind extends string> = Kind extends string ? Extract<Schema, { kind: Kind }> : never

function valuesOf(read: unknown): readonly unknown[] {
  const found = VALUES.find(([one]) => one === read)
  if (found === undefined) throw new TypeError(`no sample values for ${String(read)}`)
  return found[1]
}

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object')
  return value
}
