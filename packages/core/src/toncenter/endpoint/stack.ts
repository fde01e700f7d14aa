import { refuse } from '../schema/mismatch.js'
import type { Param } from '../schema/param.js'
import type { BocLike } from '../schema/params.js'

/**
 * One entry of the stack that a get-method returns. Numbers are signed 257-bit integers, cells and slices bags of cells in
 * standard base64.
 *
 * - The virtual machine does not distinguish an empty list from null: both are `null` here.
 * - `runGetMethod` marks slices as cells, so a `cell` at the top of its stack may be a slice. Entries of a tuple or a list,
 *   and all of `runGetMethodStd`, distinguish them.
 * - `unsupported` replaces an entry that no response can contain, for example a continuation or a builder.
 */
export type StackItem =
  | { type: 'number'; value: bigint }
  | { type: 'cell'; boc: string }
  | { type: 'slice'; boc: string }
  | { type: 'tuple'; items: StackItem[] }
  | { type: 'list'; items: StackItem[] }
  | { type: 'null' }
  | { type: 'unsupported' }

/**
 * One argument of a get-method: a {@link StackItem} that can be sent, so neither a builder nor a continuation.
 * Source: API description, runGetMethod: the server responds with 542 to any other type.
 */
export type StackArgument =
  | { readonly type: 'number'; readonly value: bigint }
  | { readonly type: 'cell'; readonly boc: BocLike }
  | { readonly type: 'slice'; readonly boc: BocLike }
  | { readonly type: 'tuple'; readonly items: readonly StackArgument[] }
  | { readonly type: 'list'; readonly items: readonly StackArgument[] }
  | { readonly type: 'null' }

interface StackProblem {
  /** Indexes and keys from the stack down, for example `[0, 'items', 2, 'value']`. */
  path: (string | number)[]
  expected: string
}

export type Conversion<Entry> =
  { isConverted: true; entries: Entry[] } | ({ isConverted: false } & StackProblem)

/** One converted entry. The entries that it contains are converted next: `from` is read and `into` filled. */
export interface Entry<To> {
  entry: To
  inner?: { from: unknown; into: To[]; keys: readonly (string | number)[] }
}

export interface EntryProblem {
  expected: string
  keys: readonly (string | number)[]
}

type ConvertEntry<To> = (from: unknown) => Entry<To> | EntryProblem

interface Place {
  outer: Place | undefined
  index: number
  keys: readonly (string | number)[]
}

interface Level<To> {
  from: unknown
  into: To[]
  /** The entry that contains these elements; `undefined` for the stack itself. */
  place: Place | undefined
  depth: number
}

export interface StackRules<To> {
  /** Converts an entry of the stack itself. */
  top: ConvertEntry<To>
  /** Converts an entry of a tuple or a list. */
  nested: ConvertEntry<To>
  /** Levels of nesting; 1 = no tuples or lists. @default Infinity */
  maxDepth?: number
}

/** Converts a stack in one loop over its levels: a response may nest deeper than the call stack allows. */
export function convertStack<To>(stack: unknown, rules: StackRules<To>): Conversion<To> {
  const { top, nested, maxDepth = Infinity } = rules
  const entries: To[] = []
  const levels: Level<To>[] = [{ from: stack, into: entries, place: undefined, depth: 1 }]
  for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
    const { from, into, place, depth } = level
    if (!Array.isArray(from)) return failed({ expected: 'an array', keys: [] }, place)
    if (depth > maxDepth) return failed({ expected: `at most ${maxDepth} levels`, keys: [] }, place)
    const convert = place === undefined ? top : nested
    for (const [index, element] of (from as readonly unknown[]).entries()) {
      const converted = convert(element)
      if ('expected' in converted) return failed(converted, { outer: place, index, keys: [] })
      into.push(converted.entry)
      if (converted.inner !== undefined) {
        const { inner } = converted
        const inside = { outer: place, index, keys: inner.keys }
        levels.push({ from: inner.from, into: inner.into, place: inside, depth: depth + 1 })
      }
    }
  }
  return { isConverted: true, entries }
}

export function entriesOf<To>(conversion: Conversion<To>): To[] | undefined {
  return conversion.isConverted ? conversion.entries : undefined
}

/** Returns the entries of a response's stack. @throws {Mismatch} with the invalid place. */
export function convertedStack<To>(stack: unknown, conversion: Conversion<To>): To[] {
  if (conversion.isConverted) return conversion.entries
  return refuse(conversion.expected, stack, conversion.path)
}

function failed({ expected, keys }: EntryProblem, place: Place | undefined): Conversion<never> {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.outer) path.unshift(at.index, ...at.keys)
  return { isConverted: false, path: [...path, ...keys], expected }
}

export function stackParam<Entry, Argument>(
  encode: (stack: unknown) => Conversion<Entry>,
): Param<Entry[], readonly Argument[]> {
  return {
    expected: 'an array',
    read(stack, refuse) {
      const conversion = encode(stack)
      return conversion.isConverted ? conversion.entries : refuse(conversion)
    },
  }
}
