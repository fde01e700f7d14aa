import { isObject } from '../../shared/is-object.js'
import {
  convertStack,
  readEntry,
  stackParam,
  type Entry,
  type Notation,
  type StackArgument,
  type StackItem,
} from '../endpoint/stack.js'
import { refuse } from '../schema/mismatch.js'

/** One entry of a stack as sent. */
export type WireEntry = Readonly<Record<string, unknown>> | readonly [string, unknown]

const PAIRS: Notation<WireEntry> = {
  number: (digits) => ['num', digits],
  cell: (bytes) => ['tvm.Cell', bytes],
  slice: (bytes) => ['tvm.Slice', bytes],
  tuple: (elements) => ['tuple', { '@type': 'tvm.tuple', elements }],
  list: (elements) => ['list', { '@type': 'tvm.list', elements }],
}

const typed = (type: string, name: string, content: object): WireEntry => ({
  '@type': `tvm.stackEntry${type}`,
  [name]: content,
})

const TYPED: Notation<WireEntry> = {
  number: (number) => typed('Number', 'number', { '@type': 'tvm.numberDecimal', number }),
  cell: (bytes) => typed('Cell', 'cell', { '@type': 'tvm.cell', bytes }),
  slice: (bytes) => typed('Slice', 'slice', { '@type': 'tvm.slice', bytes }),
  tuple: (elements) => typed('Tuple', 'tuple', { '@type': 'tvm.tuple', elements }),
  list: (elements) => typed('List', 'list', { '@type': 'tvm.list', elements }),
}

/**
 * The arguments of `runGetMethod`. Numbers are decimal strings, cells `tvm.Cell` and slices `tvm.Slice` with the bare bytes,
 * the format that both servers read.
 */
export const legacyStackParam = stackParam<WireEntry, StackArgument>(PAIRS, TYPED)

/** The arguments of `runGetMethodStd`: typed objects with decimal numbers. */
export const typedStackParam = stackParam<WireEntry, StackArgument>(TYPED, TYPED)

/**
 * Reads the stack of `runGetMethod`: pairs, for example `["num", "-0x1"]`. Inside a tuple or a list the entries are typed
 * objects with decimal numbers. The `object` beside a cell repeats its `bytes` and is ignored. @throws {Mismatch}
 */
export function readLegacyStack(stack: unknown): StackItem[] {
  return convertStack(stack, readPair, readTyped)
}

/** Reads the stack of `runGetMethodStd`: typed objects, for example `{"@type": "tvm.stackEntryNumber", …}`. @throws {Mismatch} */
export function readTypedStack(stack: unknown): StackItem[] {
  return convertStack(stack, readTyped, readTyped)
}

/** The field with the content, by the type of a pair. */
const PAIR_CONTENT = new Map([
  ['cell', 'bytes'],
  ['slice', 'bytes'],
  ['tuple', 'elements'],
  ['list', 'elements'],
])

/** The type and the place of the content, by the tag. */
const TYPED_CONTENT = new Map<unknown, readonly [type: string, name: string, key: string]>([
  ['tvm.stackEntryNumber', ['num', 'number', 'number']],
  ['tvm.stackEntryCell', ['cell', 'cell', 'bytes']],
  ['tvm.stackEntrySlice', ['slice', 'slice', 'bytes']],
  ['tvm.stackEntryTuple', ['tuple', 'tuple', 'elements']],
  ['tvm.stackEntryList', ['list', 'list', 'elements']],
])

function readPair(pair: unknown): Entry<StackItem> {
  if (!Array.isArray(pair) || typeof pair[0] !== 'string') {
    return refuse('a pair of a type and a value', pair)
  }
  const [type, value] = pair as [string, unknown]
  const key = PAIR_CONTENT.get(type)
  return key === undefined
    ? readEntry(type, value, [1])
    : readEntry(type, field(value, key), [1, key])
}

function readTyped(entry: unknown): Entry<StackItem> {
  const tag = field(entry, '@type')
  if (tag === undefined) return refuse('an object with @type', entry)
  const [type, name, key] = TYPED_CONTENT.get(tag) ?? ['unsupported', '', '']
  return readEntry(type, field(field(entry, name), key), [name, key])
}

function field(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}
