import { refuse } from '../schema/mismatch.js'
import type { Conversion } from './stack.js'

/** One converted entry; what it contains is converted in its turn, `from` read and `into` filled. */
export interface Entry<To> {
  entry: To
  inner?: { from: unknown; into: To[]; keys: readonly (string | number)[] }
}

/** Why an entry cannot be converted: what belongs there, and where inside the entry. */
export interface Refusal {
  expected: string
  keys: readonly (string | number)[]
}

/** Converts one entry without looking at what it contains. */
type ConvertEntry<To> = (from: unknown) => Entry<To> | Refusal

interface Place {
  outer: Place | undefined
  index: number
  keys: readonly (string | number)[]
}

interface Level<To> {
  from: unknown
  into: To[]
  /** The entry whose elements these are; none for the stack itself. */
  place: Place | undefined
  depth: number
}

/** How a stack is converted. */
export interface StackRules<To> {
  /** What an entry of the stack itself becomes. */
  top: ConvertEntry<To>
  /** What an entry inside a tuple or a list becomes. */
  nested: ConvertEntry<To>
  /** How deep it may nest; 1 = no tuples or lists. @default Infinity */
  maxDepth?: number
}

/** Converts a stack, level by level in one loop: an answer may nest deeper than the call stack reaches. */
export function convertStack<To>(stack: unknown, rules: StackRules<To>): Conversion<To> {
  const { top, nested, maxDepth = Infinity } = rules
  const entries: To[] = []
  const levels: Level<To>[] = [{ from: stack, into: entries, place: undefined, depth: 1 }]
  for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
    const { from, into, place, depth } = level
    if (!Array.isArray(from)) return refused({ expected: 'an array', keys: [] }, place)
    if (depth > maxDepth)
      return refused({ expected: `at most ${maxDepth} levels`, keys: [] }, place)
    const convert = place === undefined ? top : nested
    for (const [index, element] of (from as readonly unknown[]).entries()) {
      const converted = convert(element)
      if ('expected' in converted) return refused(converted, { outer: place, index, keys: [] })
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

/** What a stack was converted to; `undefined` when it could not be. */
export function entriesOf<To>(conversion: Conversion<To>): To[] | undefined {
  return conversion.isConverted ? conversion.entries : undefined
}

/** What the stack of an answer was converted to. @throws {Mismatch} that points into it */
export function convertedStack<To>(stack: unknown, conversion: Conversion<To>): To[] {
  if (conversion.isConverted) return conversion.entries
  return refuse(conversion.expected, stack, conversion.path)
}

function refused({ expected, keys }: Refusal, place: Place | undefined): Conversion<never> {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.outer) path.unshift(at.index, ...at.keys)
  return { isConverted: false, path: [...path, ...keys], expected }
}
