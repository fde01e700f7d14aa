import { isObject } from '../../shared/is-object.js'
import { nearestName } from '../../shared/nearest-name.js'
import {
  convertedStack,
  convertStack,
  stackParam,
  type Conversion,
  type Entry,
  type EntryProblem,
  type StackArgument,
  type StackItem,
} from '../endpoint/stack.js'
import { bocParam, type BocLike } from '../schema/params.js'

// Integers of the virtual machine have 257 bits, which is 78 digits. Longer ones only cost time.
const NUMBER = /^(-?)(0x[0-9a-f]{1,100}|\d{1,100})$/i
/** Integers of the virtual machine have 257 bits, one of them the sign. */
const INTEGER_LIMIT = 2n ** 256n
/** Deeper arguments would overflow the call stack of JSON serialization. The server limits stacks to 100 levels. */
const MAX_DEPTH = 500

const TYPES = ['number', 'cell', 'slice', 'tuple', 'list', 'null']

export type WireEntry = Readonly<Record<string, unknown>> | readonly [string, unknown]

/**
 * Encodes arguments for `runGetMethod`. Numbers are decimal strings, cells `tvm.Cell` and slices `tvm.Slice` with the bare
 * bytes, the format that both servers read. Null is an empty list.
 */
export function encodeLegacyStack(stack: unknown): Conversion<WireEntry> {
  return convertStack(stack, {
    top: (argument) => encode(argument, PAIRS),
    nested: (argument) => encode(argument, TYPED),
    maxDepth: MAX_DEPTH,
  })
}

/** Encodes arguments for `runGetMethodStd`: typed objects with decimal numbers. */
export function encodeTypedStack(stack: unknown): Conversion<WireEntry> {
  const convert = (argument: unknown) => encode(argument, TYPED)
  return convertStack(stack, { top: convert, nested: convert, maxDepth: MAX_DEPTH })
}

export const legacyStackParam = stackParam<WireEntry, StackArgument>(encodeLegacyStack)

export const typedStackParam = stackParam<WireEntry, StackArgument>(encodeTypedStack)

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

function encode(argument: unknown, notation: Notation): Entry<WireEntry> | EntryProblem {
  if (!isObject(argument) || !('type' in argument)) {
    return { expected: "an object, for example { type: 'number', value: 1n }", keys: [] }
  }
  const { type, value, boc, items } = argument
  switch (type) {
    case 'number':
      if (typeof value !== 'bigint' || value < -INTEGER_LIMIT || value >= INTEGER_LIMIT) {
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
): Entry<WireEntry> | EntryProblem {
  // The parameter checks what it receives.
  const bytes = bocParam.read(boc as BocLike, () => undefined)
  if (bytes !== undefined) return { entry: write(bytes) }
  return { expected: bocParam.expected, keys: ['boc'] }
}

/** Suggests a type for an unknown one. The API has `num` and `int` for a number, and `tvm.Cell` for a cell. */
function hint(type: unknown): string {
  if (typeof type !== 'string') return ''
  const bare = type.replace(/^tvm\.(?:stackEntry)?/, '')
  const meant = /^(?:big)?int|^num/i.test(bare) ? 'number' : nearestName(bare, TYPES)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/**
 * Decodes the stack of `runGetMethod`: pairs, for example `["num", "-0x1"]`. Inside a tuple or a list the entries are typed
 * objects with decimal numbers. The `object` beside a cell repeats its `bytes` and is ignored.
 */
export function decodeLegacyStack(stack: unknown): Conversion<StackItem> {
  return convertStack(stack, { top: decodePair, nested: decodeTyped })
}

/** Decodes the stack of `runGetMethodStd`: typed objects, for example `{"@type": "tvm.stackEntryNumber", …}`. */
export function decodeTypedStack(stack: unknown): Conversion<StackItem> {
  return convertStack(stack, { top: decodeTyped, nested: decodeTyped })
}

export function readLegacyStack(stack: unknown): StackItem[] {
  return convertedStack(stack, decodeLegacyStack(stack))
}

export function readTypedStack(stack: unknown): StackItem[] {
  return convertedStack(stack, decodeTypedStack(stack))
}

function decodePair(pair: unknown): Entry<StackItem> | EntryProblem {
  if (!Array.isArray(pair) || typeof pair[0] !== 'string') {
    return { expected: 'a pair of a type and a value', keys: [] }
  }
  const value: unknown = pair[1]
  switch (pair[0]) {
    case 'num':
      return decodeNumber(value, [1])
    case 'cell':
    case 'slice':
      return decodeCells(pair[0], field(value, 'bytes'), [1, 'bytes'])
    case 'tuple':
    case 'list':
      return decodeElements(pair[0], field(value, 'elements'), [1, 'elements'])
    case 'null':
      return { entry: { type: 'null' } }
    default:
      return { entry: { type: 'unsupported' } }
  }
}

function decodeTyped(typed: unknown): Entry<StackItem> | EntryProblem {
  switch (field(typed, '@type')) {
    case 'tvm.stackEntryNumber':
      return decodeNumber(field(field(typed, 'number'), 'number'), ['number', 'number'])
    case 'tvm.stackEntryCell':
      return decodeCells('cell', field(field(typed, 'cell'), 'bytes'), ['cell', 'bytes'])
    case 'tvm.stackEntrySlice':
      return decodeCells('slice', field(field(typed, 'slice'), 'bytes'), ['slice', 'bytes'])
    case 'tvm.stackEntryTuple':
      return decodeElements('tuple', field(field(typed, 'tuple'), 'elements'), [
        'tuple',
        'elements',
      ])
    case 'tvm.stackEntryList':
      return decodeElements('list', field(field(typed, 'list'), 'elements'), ['list', 'elements'])
    case undefined:
      return { expected: 'an object with @type', keys: [] }
    default:
      return { entry: { type: 'unsupported' } }
  }
}

function decodeNumber(
  digits: unknown,
  keys: readonly (string | number)[],
): Entry<StackItem> | EntryProblem {
  // The JSON parser has converted a longer number to a string of its digits.
  if (Number.isSafeInteger(digits)) {
    return { entry: { type: 'number', value: BigInt(Number(digits)) } }
  }
  return decodeDigits(digits, keys)
}

/** Decodes a number from a string of decimal or hex digits. */
export function decodeDigits(
  digits: unknown,
  keys: readonly (string | number)[],
): Entry<StackItem> | EntryProblem {
  const match = typeof digits === 'string' ? NUMBER.exec(digits) : null
  if (match?.[2] === undefined) return { expected: 'an integer in decimal or 0x digits', keys }
  const magnitude = BigInt(match[2])
  return { entry: { type: 'number', value: match[1] === '-' ? -magnitude : magnitude } }
}

function decodeCells(
  type: 'cell' | 'slice',
  boc: unknown,
  keys: readonly (string | number)[],
): Entry<StackItem> | EntryProblem {
  if (typeof boc !== 'string') return { expected: 'a bag of cells in base64', keys }
  return { entry: { type, boc } }
}

function decodeElements(
  type: 'tuple' | 'list',
  elements: unknown,
  keys: readonly (string | number)[],
): Entry<StackItem> | EntryProblem {
  const from = elements ?? []
  if (type === 'list' && Array.isArray(from) && from.length === 0) {
    return { entry: { type: 'null' } }
  }
  const items: StackItem[] = []
  return { entry: { type, items }, inner: { from, into: items, keys } }
}

function field(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}
