import { InvalidParamsError } from '../errors/params.js'
import { isObject } from '../schema/readers.js'
import { checkOptionNames, REQUEST_OPTIONS } from '../transport/option-names.js'
import { isCursor, isOfOtherParams, OTHER_PARAMS } from './cursor.js'
import type { LearnedPageSize, PagedList, PageSource } from './page-source.js'
import type { PagingStrategy, Position, WalkStart } from './strategy.js'
import { createWalk, type Walk, type WalkOptions } from './walk.js'

/**
 * Walks over everything that an endpoint lists, page by page as needed. The parameters may be left out when none of
 * them is required.
 * @throws {ConfigurationError} at once for an option that does not exist.
 * @throws {InvalidParamsError} at once for a wrong page size or a cursor that was made with other parameters; what a
 *   page request throws, while iterating.
 */
export type Iterate<Params, Item> =
  Record<never, never> extends Params
    ? (params?: Params, options?: WalkOptions) => Walk<Item>
    : (params: Params, options?: WalkOptions) => Walk<Item>

const WALK_OPTIONS = [...REQUEST_OPTIONS, 'pageSize', 'prefetch', 'cursor']

/**
 * Makes the `iterate` of an endpoint.
 * @param open makes the source of one walk
 */
export function createIterate<Params, Result, Item, At extends Position>(
  strategy: PagingStrategy<Params, Result, Item, At>,
  open: (list: PagedList<Params, Result, Item, At>) => PageSource<Item, At>,
): Iterate<Params, Item> {
  const learned: LearnedPageSize = { max: strategy.pageSize.max }
  const { endpoint } = strategy
  const iterate = (params: Params, options: WalkOptions = {}): Walk<Item> => {
    checkOptionNames(options, WALK_OPTIONS)
    refuseSizeParameter(strategy, params)
    const pageSize = checkPageSize(strategy, options.pageSize)
    const filter = strategy.markOf?.(params)
    const start = readCursor(strategy, options.cursor, filter)
    const source = open({
      strategy,
      params,
      pageSize,
      learned,
      isResumed: start.position !== undefined,
    })
    return createWalk({ endpoint, filter, source, start }, options)
  }
  const orNone = (params?: Params, options?: WalkOptions): Walk<Item> =>
    // The page's own check tells what is missing.
    iterate(params ?? ({} as Params), options)
  // Whether any parameter is required, the compiler cannot tell here.
  return orNone as Iterate<Params, Item>
}

type AnyStrategy<At extends Position> = Pick<
  PagingStrategy<never, never, never, At>,
  'endpoint' | 'pageSize' | 'parse' | 'sizeParameter'
>

function refuseSizeParameter(strategy: AnyStrategy<Position>, params: unknown): void {
  const { sizeParameter } = strategy
  if (!isObject(params) || !(sizeParameter in params)) return
  throw invalid(strategy, sizeParameter, 'is not a parameter of a walk; see the option pageSize')
}

function checkPageSize(strategy: AnyStrategy<Position>, pageSize: number | undefined): number {
  const { default: usual, min, max } = strategy.pageSize
  if (pageSize === undefined) return usual
  if (Number.isInteger(pageSize) && pageSize >= min && pageSize <= max) return pageSize
  throw invalid(strategy, 'pageSize', `must be an integer from ${min} to ${max}`)
}

function readCursor<At extends Position>(
  strategy: AnyStrategy<At>,
  cursor: unknown,
  filter: string | undefined,
): WalkStart<At> {
  if (cursor === undefined) return { position: undefined, isDone: false }
  if (!isCursor(cursor)) throw invalid(strategy, 'cursor', 'must be what cursor() returned')
  const { endpoint, position, isDone } = cursor
  if (endpoint !== strategy.endpoint) throw invalid(strategy, 'cursor', `belongs to ${endpoint}`)
  if (isOfOtherParams(cursor, filter)) throw invalid(strategy, 'cursor', OTHER_PARAMS)
  if (position === null) return { position: undefined, isDone }
  const at = strategy.parse(position)
  if (at === undefined) throw invalid(strategy, 'cursor.position', 'must be what cursor() returned')
  return { position: at, isDone }
}

function invalid({ endpoint }: { endpoint: string }, path: string, problem: string): Error {
  return new InvalidParamsError({ endpoint, issues: [{ path, problem }] })
}
