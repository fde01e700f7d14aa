import { bocParam, type BocLike } from '../schema/params.js'
import type { Conversion } from './stack.js'
import { convertStack, type Entry, type Refusal } from './stack-convert.js'

/** Integers of the virtual machine have 257 bits, one of them the sign. */
const LIMIT = 2n ** 256n
/** Deeper arguments would overflow the call stack when they are written as JSON; the server bounds stacks at 100. */
const MAX_DEPTH = 500

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
  if (typeof argument !== 'object' || argument === null || !('type' in argument)) {
    return { expected: 'an object with type', keys: [] }
  }
  const { type, value, boc, items } = argument as Readonly<Record<string, unknown>>
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
      return { expected: 'number, cell, slice, tuple, list or null', keys: ['type'] }
  }
}

function encodeCells(
  boc: unknown,
  write: (bytes: string) => WireEntry,
): Entry<WireEntry> | Refusal {
  // The word checks what it is given.
  const checked = bocParam.safeParse(boc as BocLike)
  if (checked.success) return { entry: write(checked.data) }
  return { expected: checked.error.issues[0]?.message ?? 'a bag of cells', keys: ['boc'] }
}
