import type { Conversion, StackItem } from '../endpoint/stack.js'
import {
  convertedStack,
  convertStack,
  type Entry,
  type Refusal,
} from '../endpoint/stack-convert.js'
import { encodeLegacyStack } from '../v2/stack-encode.js'

// The virtual machine's integers have 257 bits, which are 78 digits; longer ones only cost time.
const NUMBER = /^(-?)(0x[0-9a-f]{1,100}|\d{1,100})$/i
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['num', 'num'],
  ['tvm.Cell', 'cell'],
  ['tvm.Slice', 'slice'],
])

/** One entry of a stack on the wire. */
export interface WireEntry {
  type: string
  value: unknown
}

/**
 * Writes arguments as `runGetMethod` of API v3 takes them. The server hands them on to API v2, entry by entry, so the
 * values are those of v2. Source: API facts, part 2.2.
 */
export function encodeStack(stack: unknown): Conversion<WireEntry> {
  const conversion = encodeLegacyStack(stack)
  if (!conversion.isConverted) return conversion
  return convertStack(conversion.entries, { top: encodePair, nested: encodePair })
}

/**
 * Reads the stack of `runGetMethod` of API v3: objects such as `{"type": "num", "value": "-0x1"}`, also inside others.
 * One that is empty may be null.
 */
export function decodeStack(stack: unknown): Conversion<StackItem> {
  return convertStack(stack === null ? [] : stack, { top: decodeEntry, nested: decodeEntry })
}

/** The stack, as a word reads it. @throws {Mismatch} */
export function readStack(stack: unknown): StackItem[] {
  return convertedStack(stack, decodeStack(stack))
}

function encodePair(pair: unknown): Entry<WireEntry> | Refusal {
  // `encodeLegacyStack` made it.
  const [tag, value] = pair as readonly [string, unknown]
  const type = TYPES.get(tag)
  if (type === undefined) {
    return { expected: 'number, cell or slice: API v3 takes nothing else', keys: ['type'] }
  }
  return { entry: { type, value } }
}

function decodeEntry(entry: unknown): Entry<StackItem> | Refusal {
  if (typeof entry !== 'object' || entry === null || !('type' in entry)) {
    return { expected: 'an object with type', keys: [] }
  }
  const value = 'value' in entry ? entry.value : undefined
  switch (entry.type) {
    case 'num':
      return decodeNumber(value)
    case 'cell':
    case 'slice':
      return typeof value === 'string'
        ? { entry: { type: entry.type, boc: value } }
        : { expected: 'a bag of cells in base64', keys: ['value'] }
    case 'tuple':
    case 'list':
      return decodeItems(entry.type, value === null ? [] : value)
    case 'null':
      return { entry: { type: 'null' } }
    default:
      return { entry: { type: 'unsupported' } }
  }
}

function decodeNumber(digits: unknown): Entry<StackItem> | Refusal {
  const match = typeof digits === 'string' ? NUMBER.exec(digits) : null
  if (match?.[2] === undefined) {
    return { expected: 'an integer in decimal or 0x digits', keys: ['value'] }
  }
  const magnitude = BigInt(match[2])
  return { entry: { type: 'number', value: match[1] === '-' ? -magnitude : magnitude } }
}

function decodeItems(type: 'tuple' | 'list', value: unknown): Entry<StackItem> {
  if (type === 'list' && Array.isArray(value) && value.length === 0) {
    return { entry: { type: 'null' } }
  }
  const items: StackItem[] = []
  return { entry: { type, items }, inner: { from: value, into: items, keys: ['value'] } }
}
