import { isObject } from '../../shared/is-object.js'
import { nearestName } from '../../shared/nearest-name.js'
import { Mismatch, refuse } from '../schema/mismatch.js'
import type { Param } from '../schema/param.js'
import { bocParam, type BocLike } from '../schema/params.js'

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

// Integers of the virtual machine have 257 bits, which is 78 digits. Longer ones only cost time.
const NUMBER = /^(-?)(0x[0-9a-f]{1,100}|\d{1,100})$/i
const INTEGER_LIMIT = 2n ** 256n
/** Deeper arguments would overflow the call stack of JSON serialization. The server limits stacks to 100 levels. */
const MAX_DEPTH = 500
const TYPES = ['number', 'cell', 'slice', 'tuple', 'list', 'null']

type Key = string | number

/** One converted entry. The entries that it contains are converted next: `from` is read and `into` filled. */
export interface Entry<To> {
  entry: To
  inner?: { from: unknown; into: To[]; keys: readonly Key[] }
}

/** Converts one entry without the entries that it contains. @throws {Mismatch} with the place inside the entry */
type ConvertEntry<To> = (from: unknown) => Entry<To>

/** The location of an entry: its index in the entry that contains it. */
interface Place {
  outer: Place | undefined
  index: number
  keys: readonly Key[]
}

interface Level<To> {
  from: unknown
  into: To[]
  /** The entry that contains these elements; `undefined` for the stack itself. */
  place: Place | undefined
  depth: number
}

/**
 * Converts a stack in one loop over its levels: a response may nest deeper than the call stack allows.
 * @param top converts an entry of the stack itself
 * @param nested converts an entry of a tuple or a list
 * @param maxDepth levels of nesting; 1 = no tuples or lists
 * @throws {Mismatch} with the invalid place: indexes and keys from the stack down, for example `[0, 'items', 2, 'value']`
 */
export function convertStack<To>(
  stack: unknown,
  top: ConvertEntry<To>,
  nested: ConvertEntry<To>,
  maxDepth = Infinity,
): To[] {
  const entries: To[] = []
  const levels: Level<To>[] = [{ from: stack, into: entries, place: undefined, depth: 1 }]
  let at: Place | undefined
  try {
    for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
      const { from, into, place, depth } = level
      at = place
      if (!Array.isArray(from)) return refuse('an array', from)
      if (depth > maxDepth) return refuse(`at most ${maxDepth} levels`, from)
      for (const [index, element] of from.entries()) {
        at = { outer: place, index, keys: [] }
        const { entry, inner } = place === undefined ? top(element) : nested(element)
        into.push(entry)
        if (inner === undefined) continue
        levels.push({ ...inner, place: { ...at, keys: inner.keys }, depth: depth + 1 })
      }
    }
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const path = [...error.path]
    for (; at !== undefined; at = at.outer) path.unshift(at.index, ...at.keys)
    return refuse(error.expected, stack, path)
  }
  return entries
}

/**
 * Reads an entry of a response.
 * @param value the content; null and an empty list are alike
 * @param keys the place of the content in the entry
 */
export function readEntry(type: string, value: unknown, keys: readonly Key[]): Entry<StackItem> {
  switch (type) {
    case 'num':
      return { entry: { type: 'number', value: readNumber(value, keys) } }
    case 'cell':
    case 'slice':
      if (typeof value !== 'string') return refuse('a bag of cells in base64', value, keys)
      return { entry: { type, boc: value } }
    case 'tuple':
    case 'list': {
      const from = value ?? []
      const isEmpty = Array.isArray(from) && from.length === 0
      if (type === 'list' && isEmpty) return { entry: { type: 'null' } }
      const items: StackItem[] = []
      return { entry: { type, items }, inner: { from, into: items, keys } }
    }
    case 'null':
      return { entry: { type } }
    default:
      return { entry: { type: 'unsupported' } }
  }
}

/** Reads decimal or hex digits. The JSON parser has converted a longer number to a string of its digits. */
function readNumber(value: unknown, keys: readonly Key[]): bigint {
  if (Number.isSafeInteger(value)) return BigInt(Number(value))
  const match = typeof value === 'string' ? NUMBER.exec(value) : null
  if (match?.[2] === undefined) return refuse('an integer in decimal or 0x digits', value, keys)
  const magnitude = BigInt(match[2])
  return match[1] === '-' ? -magnitude : magnitude
}

/** The format of sent entries. */
export interface Notation<To> {
  number(digits: string): To
  cell(bytes: string): To
  slice(bytes: string): To
  tuple(elements: To[]): To
  list(elements: To[]): To
}

/** Creates the parameter for the arguments of a get-method. Null is sent as an empty list. */
export function stackParam<To, Argument>(
  top: Notation<To>,
  nested: Notation<To>,
): Param<To[], readonly Argument[]> {
  const write = (notation: Notation<To>) => (argument: unknown) => writeEntry(argument, notation)
  return {
    expected: 'an array',
    read(stack, reject) {
      try {
        return convertStack(stack, write(top), write(nested), MAX_DEPTH)
      } catch (error) {
        if (error instanceof Mismatch) return reject(error)
        throw error
      }
    },
  }
}

function writeEntry<To>(argument: unknown, notation: Notation<To>): Entry<To> {
  if (!isObject(argument) || !('type' in argument)) {
    return refuse("an object, for example { type: 'number', value: 1n }", argument)
  }
  const { type, value, boc, items } = argument
  switch (type) {
    case 'number':
      if (typeof value !== 'bigint' || value < -INTEGER_LIMIT || value >= INTEGER_LIMIT) {
        return refuse('a bigint of at most 257 bits', value, ['value'])
      }
      return { entry: notation.number(value.toString()) }
    case 'cell':
    case 'slice': {
      // The parameter checks what it receives.
      const bytes = bocParam.read(boc as BocLike, () => undefined)
      return { entry: notation[type](bytes ?? refuse(bocParam.expected, boc, ['boc'])) }
    }
    case 'tuple':
    case 'list': {
      const into: To[] = []
      return { entry: notation[type](into), inner: { from: items, into, keys: ['items'] } }
    }
    case 'null':
      return { entry: notation.list([]) }
    default:
      return refuse(`number, cell, slice, tuple, list or null${hint(type)}`, type, ['type'])
  }
}

/** Suggests a type for an unknown one. The API has `num` and `int` for a number, and `tvm.Cell` for a cell. */
function hint(type: unknown): string {
  if (typeof type !== 'string') return ''
  const bare = type.replace(/^tvm\.(?:stackEntry)?/, '')
  const meant = /^(?:big)?int|^num/i.test(bare) ? 'number' : nearestName(bare, TYPES)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
