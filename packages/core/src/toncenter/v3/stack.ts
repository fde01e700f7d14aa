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
import { decodeDigits, encodeLegacyStack } from '../v2/stack.js'

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['num', 'num'],
  ['tvm.Cell', 'cell'],
  ['tvm.Slice', 'slice'],
])

export interface WireEntry {
  type: string
  value: unknown
}

/** An argument of `runGetMethod` of API v3. Tuples, lists and nulls are unsupported. */
export type V3StackArgument = Extract<StackArgument, { type: 'number' | 'cell' | 'slice' }>

/**
 * Encodes arguments for `runGetMethod` of API v3. The server forwards them to API v2 entry by entry, so the values are
 * those of API v2. Source: API facts, part 2.2.
 */
export function encodeStack(stack: unknown): Conversion<WireEntry> {
  const conversion = encodeLegacyStack(stack)
  if (!conversion.isConverted) return conversion
  return convertStack(conversion.entries, { top: encodePair, nested: encodePair })
}

export const stackArgumentsParam = stackParam<WireEntry, V3StackArgument>(encodeStack)

/**
 * Decodes the stack of `runGetMethod` of API v3: objects, for example `{"type": "num", "value": "-0x1"}`, also inside
 * others. An empty stack may be null.
 */
export function decodeStack(stack: unknown): Conversion<StackItem> {
  return convertStack(stack === null ? [] : stack, { top: decodeEntry, nested: decodeEntry })
}

export function readStack(stack: unknown): StackItem[] {
  return convertedStack(stack, decodeStack(stack))
}

function encodePair(pair: unknown): Entry<WireEntry> | EntryProblem {
  // `encodeLegacyStack` created it.
  const [tag, value] = pair as readonly [string, unknown]
  const type = TYPES.get(tag)
  if (type === undefined) {
    return { expected: 'number, cell or slice: API v3 supports nothing else', keys: ['type'] }
  }
  return { entry: { type, value } }
}

function decodeEntry(entry: unknown): Entry<StackItem> | EntryProblem {
  if (typeof entry !== 'object' || entry === null || !('type' in entry)) {
    return { expected: 'an object with type', keys: [] }
  }
  const value = 'value' in entry ? entry.value : undefined
  switch (entry.type) {
    case 'num':
      return decodeDigits(value, ['value'])
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

function decodeItems(type: 'tuple' | 'list', value: unknown): Entry<StackItem> {
  if (type === 'list' && Array.isArray(value) && value.length === 0) {
    return { entry: { type: 'null' } }
  }
  const items: StackItem[] = []
  return { entry: { type, items }, inner: { from: value, into: items, keys: ['value'] } }
}
