import type { BocLike } from '../schema/params.js'

/**
 * One entry of a get-method's stack, as it comes back. Numbers are signed 257-bit integers, cells and slices bags of
 * cells in standard base64.
 *
 * - An empty list and null are the same entry to the virtual machine: both are `null` here.
 * - `runGetMethod` tags slices as cells, so what it calls a `cell` at the top of the stack may be a slice. Entries
 *   inside a tuple or a list, and all of `runGetMethodStd`, keep them apart.
 * - `unsupported` stands for what no answer can carry, such as a continuation or a builder.
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
 * One argument of a get-method: a {@link StackItem} that can be sent. Builders and continuations cannot.
 * Source: API description, runGetMethod: the server answers 542 to any other type.
 */
export type StackArgument =
  | { readonly type: 'number'; readonly value: bigint }
  | { readonly type: 'cell'; readonly boc: BocLike }
  | { readonly type: 'slice'; readonly boc: BocLike }
  | { readonly type: 'tuple'; readonly items: readonly StackArgument[] }
  | { readonly type: 'list'; readonly items: readonly StackArgument[] }
  | { readonly type: 'null' }

/** The first place where a stack is not what it must be. */
interface StackProblem {
  /** Indexes and keys from the stack down, as in `[0, 'items', 2, 'value']`. */
  path: (string | number)[]
  /** What belongs there, as in `an integer in decimal digits`. */
  expected: string
}

/** A converted stack, or the first problem in it. */
export type Conversion<Entry> =
  { isConverted: true; entries: Entry[] } | ({ isConverted: false } & StackProblem)
