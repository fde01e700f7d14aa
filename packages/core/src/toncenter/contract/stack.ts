import { TupleReader, type TupleItem } from '@ton/core'
import type { StackArgument, StackItem } from '../endpoint/stack.js'
import { ContractDataError } from './contract-error.js'
import { InvalidParamsError } from '../errors/api.js'
import { readCell } from './fields.js'

/** A pending conversion and its destination. Iterative, since entries may nest deeper than the call stack allows. */
interface Job<From, To> {
  from: From
  into: To[]
  index: number
  path: string
}

/**
 * Converts the stack of `runGetMethod` to tuple items of `@ton/core`. The servers return a list of pairs, `(1, (2, null))`,
 * as a flat list, `[1, 2]`; it is converted back to pairs, which `readLispList` and contract wrappers expect.
 * @throws {ContractDataError} for an entry that the server could not serialize, for example a continuation, and for
 * invalid cells.
 * @example
 * ```ts
 * import { createV2Client } from '@tonplug/core/toncenter'
 * import { toTupleItems } from '@tonplug/core/contract'
 *
 * const v2 = createV2Client({ network: 'testnet' })
 * const address = '0:0000000000000000000000000000000000000000000000000000000000000000'
 * const { stack } = await v2.runGetMethod({ address, method: 'get_lists', stack: [] })
 * console.log(toTupleItems(stack))
 * ```
 */
export function toTupleItems(stack: readonly StackItem[]): TupleItem[] {
  return convertAll(stack, readItem)
}

/** Converts the stack like {@link toTupleItems} and returns a reader of it. */
export function toTupleReader(stack: readonly StackItem[]): TupleReader {
  return new TupleReader(toTupleItems(stack))
}

/**
 * Converts tuple items of `@ton/core` to the parameter `stack` of `runGetMethod`. API v3 accepts only numbers, cells and
 * slices.
 * @throws {InvalidParamsError} for a builder and for `nan`, which the servers do not accept.
 * @example
 * ```ts
 * import { createV2Client } from '@tonplug/core/toncenter'
 * import { toStackArguments } from '@tonplug/core/contract'
 *
 * const v2 = createV2Client({ network: 'testnet' })
 * const address = '0:0000000000000000000000000000000000000000000000000000000000000000'
 * const stack = toStackArguments([{ type: 'int', value: 1n }])
 * await v2.runGetMethod({ address, method: 'get_plugin', stack })
 * ```
 */
export function toStackArguments(items: readonly TupleItem[]): StackArgument[] {
  return convertAll(items, writeItem)
}

type Convert<From, To> = (job: Job<From, To>, wait: (job: Job<From, To>) => void) => To

function convertAll<From, To>(all: readonly From[], convert: Convert<From, To>): To[] {
  const converted: To[] = []
  const jobs = all.map((from, index) => ({ from, into: converted, index, path: `[${index}]` }))
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    job.into[job.index] = convert(job, (inner) => jobs.push(inner))
  }
  return converted
}

function readItem(
  { from, path }: Job<StackItem, TupleItem>,
  wait: (job: Job<StackItem, TupleItem>) => void,
): TupleItem {
  switch (from.type) {
    case 'number':
      return { type: 'int', value: from.value }
    case 'cell':
    case 'slice':
      return {
        type: from.type,
        cell: readCell(from.boc, { subject: 'stack', path: `${path}.boc` }),
      }
    case 'null':
      return { type: 'null' }
    case 'tuple': {
      const items: TupleItem[] = []
      from.items.forEach((inner, index) => {
        wait({ from: inner, into: items, index, path: `${path}.items[${index}]` })
      })
      return { type: 'tuple', items }
    }
    case 'list':
      return from.items.reduceRight<TupleItem>(
        (rest, inner, index) => {
          const items = [rest, rest]
          wait({ from: inner, into: items, index: 0, path: `${path}.items[${index}]` })
          return { type: 'tuple', items }
        },
        { type: 'null' },
      )
    case 'unsupported':
      throw new ContractDataError({
        subject: 'stack',
        path,
        problem: 'the server could not serialize this entry; it may be a continuation or a builder',
      })
  }
}

function writeItem(
  { from, path }: Job<TupleItem, StackArgument>,
  wait: (job: Job<TupleItem, StackArgument>) => void,
): StackArgument {
  switch (from.type) {
    case 'int':
      return { type: 'number', value: from.value }
    case 'cell':
    case 'slice':
      return { type: from.type, boc: from.cell }
    case 'null':
      return { type: 'null' }
    case 'tuple': {
      const list = elementsOf(from)
      const items: StackArgument[] = []
      for (const [index, inner] of (list ?? from.items).entries()) {
        wait({ from: inner, into: items, index, path: `${path}.items[${index}]` })
      }
      return { type: list === undefined ? 'tuple' : 'list', items }
    }
    case 'builder':
    case 'nan': {
      const problem = `expected a number, cell, slice, tuple or null; received ${from.type}`
      throw new InvalidParamsError({
        endpoint: 'runGetMethod',
        issues: [{ path: `stack${path}`, problem }],
      })
    }
  }
}

/** Returns the elements of a list of pairs that ends with null. Sent as a list, since servers limit the nesting of tuples. */
function elementsOf(tuple: TupleItem): TupleItem[] | undefined {
  const elements: TupleItem[] = []
  let rest = tuple
  while (rest.type === 'tuple') {
    const [head, tail] = rest.items
    if (rest.items.length !== 2 || head === undefined || tail === undefined) return undefined
    elements.push(head)
    rest = tail
  }
  return rest.type === 'null' ? elements : undefined
}
