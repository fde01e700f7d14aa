import { isObject } from '../schema/readers.js'
import { nearestName } from '../schema/nearest-name.js'
import { bocParam, type BocLike } from '../schema/params.js'
import type { Conversion } from '../endpoint/stack.js'
import { convertStack, type Entry, type Refusal } from '../endpoint/stack-convert.js'

/** Integers of the virtual machine have 257 bits, one of them the sign. */
const LIMIT = 2n ** 256n
/** Deeper arguments would overflow the call stack when they are written as JSON; the server bounds stacks at 100. */
const MAX_DEPTH = 500

const TYPES = ['number', 'cell', 'slice', 'tuple', 'list', 'null']

/** One entry of a stack on the wire. */
export type WireEntry = Readonly<Record<string, unknown>> | readonly [string, unknown]

/**
 * Writes arguments as `runGetMethod` takes them. Numbers go as decimal digits in a string, cells as `tvm.Cell` and
 * slices as `tvm.Slice` with the bare bytes, the spelling that both servers read; null goes as an empty list.
 */
export function encodeLegacyStack(stack: unknown): Conversion<WireEntry> {
  return convertStack(stack, { top: encodePair, nested: encodeTyped, maxDepth: MAX_DEPTH })
}

/** Writes arguments as `runGetMethodStd` takes them: typed objects with decimal numbers. */
export function encodeTypedStack(stack: unknown): Conversion<WireEntry> {
  return convertStack(stack, { top: encodeTyped, nested: encodeTyped, maxDepth: MAX_DEPTH })
}

function encodePair(argument: unknown): Entry<WireEntry> | Refusal {
  return encode(argument, PAIRS)
}

function encodeTyped(argument: unknown): Entry<WireEntry> | Refusal {
  return encode(argument, TYPED)
}

interface Notation {
  number(digits: string): WireEntry
  cell(bytes: string): WireEntry
  slice(bytes: string): WireEntry
  tuple(elements: WireEntry[]): WireEntry
  list(elements: WireEntry[]): WireEntry
}

const PAIRS: Notation = {
  number: (digits) => ['num', digits],
  cell: (bytes) => ['tvm.Cell', bytes],
  slice: (bytes) => ['tvm.Slice', bytes],
  tuple: (elements) => ['tuple', { '@type': 'tvm.tuple', elements }],
  list: (elements) => ['list', { '@type': 'tvm.list', elements }],
}

const TYPED: Notation = {
  number: (number) => ({
    '@type': 'tvm.stackEntryNumber',
    number: { '@type': 'tvm.numberDecimal', number },
  }),
  cell: (bytes) => ({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } }),
  slice: (bytes) => ({ '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }),
  tuple: (elements) => ({
    '@type': 'tvm.stackEntryTuple',
    tuple: { '@type': 'tvm.tuple', elements },
  }),
  list: (elements) => ({ '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } }),
}

function encode(argument: unknown, notation: Notation): Entry<WireEntry> | Refusal {
  if (!isObject(argument) || !('type' in argument)) {
    return { expected: "an object such as { type: 'number', value: 1n }", keys: [] }
  }
  const { type, value, boc, items } = argument
  switch (type) {
    case 'number':
      if (typeof value !== 'bigint' || value < -LIMIT || value >= LIMIT) {
        return { expected: 'a bigint of at most 257 bits', keys: ['value'] }
      }
      return { entry: notation.number(value.toString()) }
    case 'cell':
    case 'slice':
      return encodeCells(boc, notation[type])
    case 'tuple':
    case 'list': {
      const elements: WireEntry[] = []
      return {
        entry: notation[type](elements),
        inner: { from: items, into: elements, keys: ['items'] },
      }
    }
    case 'null':
      return { entry: notation.list([]) }
    default:
      return { expected: `number, cell, slice, tuple, list or null${hint(type)}`, keys: ['type'] }
  }
}

function encodeCells(
  boc: unknown,
  write: (bytes: string) => WireEntry,
): Entry<WireEntry> | Refusal {
  // The word checks what it is given.
  const bytes = bocParam.read(boc as BocLike, () => undefined)
  if (bytes !== undefined) return { entry: write(bytes) }
  return { expected: bocParam.expected, keys: ['boc'] }
}

/** For a type that was meant otherwise; the wire has `num` and `int` for a number, and `tvm.Cell` for a cell. */
function hint(type: unknown): string {
  if (typeof type !== 'string') return ''
  const bare = type.replace(/^tvm\.(?:stackEntry)?/, '')
  const meant = /^(?:big)?int|^num/i.test(bare) ? 'number' : nearestName(bare, TYPES)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
