import { isObject } from '../schema/readers.js'
import type { Conversion, StackItem } from '../endpoint/stack.js'
import {
  convertedStack,
  convertStack,
  type Entry,
  type Refusal,
} from '../endpoint/stack-convert.js'

// The virtual machine's integers have 257 bits, which are 78 digits; longer ones only cost time.
const NUMBER = /^(-?)(0x[0-9a-f]{1,100}|\d{1,100})$/i

/**
 * Reads the stack of `runGetMethod`: pairs such as `["num", "-0x1"]`. Inside a tuple or a list the entries are typed
 * objects with decimal numbers. The `object` beside a cell repeats its `bytes` and is not looked at.
 */
export function decodeLegacyStack(stack: unknown): Conversion<StackItem> {
  return convertStack(stack, { top: decodePair, nested: decodeTyped })
}

/** Reads the stack of `runGetMethodStd`: typed objects such as `{"@type": "tvm.stackEntryNumber", …}`. */
export function decodeTypedStack(stack: unknown): Conversion<StackItem> {
  return convertStack(stack, { top: decodeTyped, nested: decodeTyped })
}

/** The stack of `runGetMethod`, as a word reads it. @throws {Mismatch} */
export function readLegacyStack(stack: unknown): StackItem[] {
  return convertedStack(stack, decodeLegacyStack(stack))
}

/** The stack of `runGetMethodStd`, as a word reads it. @throws {Mismatch} */
export function readTypedStack(stack: unknown): StackItem[] {
  return convertedStack(stack, decodeTypedStack(stack))
}

function decodePair(pair: unknown): Entry<StackItem> | Refusal {
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

function decodeTyped(typed: unknown): Entry<StackItem> | Refusal {
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
): Entry<StackItem> | Refusal {
  // A longer JSON number is a text of its digits by now.
  if (Number.isSafeInteger(digits))
    return { entry: { type: 'number', value: BigInt(Number(digits)) } }
  const match = typeof digits === 'string' ? NUMBER.exec(digits) : null
  if (match?.[2] === undefined) return { expected: 'an integer in decimal or 0x digits', keys }
  const magnitude = BigInt(match[2])
  return { entry: { type: 'number', value: match[1] === '-' ? -magnitude : magnitude } }
}

function decodeCells(
  type: 'cell' | 'slice',
  boc: unknown,
  keys: readonly (string | number)[],
): Entry<StackItem> | Refusal {
  if (typeof boc !== 'string') return { expected: 'a bag of cells in base64', keys }
  return { entry: { type, boc } }
}

function decodeElements(
  type: 'tuple' | 'list',
  elements: unknown,
  keys: readonly (string | number)[],
): Entry<StackItem> | Refusal {
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
