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
export interface WireEntry {
  type: string
  value: unknown
}

/** An argument of `runGetMethod` of API v3. Tuples, lists and nulls are unsupported. */
export type V3StackArgument = Extract<StackArgument, { type: 'number' | 'cell' | 'slice' }>

const refuseNested = (): never =>
  refuse('number, cell or slice: API v3 supports nothing else', undefined, ['type'])

const NOTATION: Notation<WireEntry> = {
  number: (value) => ({ type: 'num', value }),
  cell: (value) => ({ type: 'cell', value }),
  slice: (value) => ({ type: 'slice', value }),
  tuple: refuseNested,
  list: refuseNested,
}

/**
 * The arguments of `runGetMethod`. The server forwards them to API v2 entry by entry, so the values are as in API v2.
 * Source: API facts, part 2.2.
 */
export const stackArgumentsParam = stackParam<WireEntry, V3StackArgument>(NOTATION, NOTATION)

/**
 * Reads the stack of `runGetMethod`: objects, for example `{"type": "num", "value": "-0x1"}`, also inside others. An empty
 * stack may be null. @throws {Mismatch}
 */
export function readStack(stack: unknown): StackItem[] {
  return convertStack(stack === null ? [] : stack, readObject, readObject)
}

function readObject(entry: unknown): Entry<StackItem> {
  if (typeof entry !== 'object' || entry === null || !('type' in entry)) {
    return refuse('an object with type', entry)
  }
  const value = 'value' in entry ? entry.value : undefined
  // The server sends numbers as strings only.
  const isNumber = entry.type === 'num' && typeof value === 'number'
  return readEntry(String(entry.type), isNumber ? undefined : value, ['value'])
}
