import { isObject } from '../../shared/is-object.js'
import { anyOption, checkOptions, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { boolParam, intParam } from '../schema/params.js'
import { requestOptions } from '../transport/call-options.js'
import { invalidOption, readCursor, type Position } from './cursor.js'
import type { LearnedPageSize, PagedList, PageSource } from './page-source.js'
import { createPaginator, type PaginateOptions, type Paginator } from './paginator.js'
import type { PagingStrategy } from './strategy.js'

/**
 * Iterates over everything that an endpoint lists and requests pages as needed. The parameters may be left out if none is
 * required.
 * @throws {ConfigurationError} at once for an unknown or invalid option.
 * @throws {InvalidParamsError} at once for an invalid cursor. The loop throws the errors of its requests.
 */
export type Paginate<Params, Item> =
  Record<never, never> extends Params
    ? (params?: Params, options?: PaginateOptions) => Paginator<Item>
    : (params: Params, options?: PaginateOptions) => Paginator<Item>

export type PaginatedList<Params, Result, Item, At extends Position> = PagedList<
  Params,
  Result,
  Item,
  At
> & {
  /** `true` if the paginator continues from a cursor. */
  isResumed: boolean
}

/**
 * Creates the `paginate` of an endpoint.
 * @param open creates the page source of one paginator
 */
export function createPaginate<Params, Result, Item, At extends Position>(
  strategy: PagingStrategy<Params, Result, Item, At>,
  open: (list: PaginatedList<Params, Result, Item, At>) => PageSource<Item, At>,
): Paginate<Params, Item> {
  const { endpoint, sizeParameter } = strategy
  const { default: defaultSize, min, max } = strategy.pageSize
  const learned: LearnedPageSize = { max }
  const paginateOptions: OptionShape<PaginateOptions> = {
    ...requestOptions,
    pageSize: optionalParam(intParam(min, max)),
    prefetch: optionalParam(boolParam),
    cursor: anyOption,
  }
  const paginate = (params: Params, options: PaginateOptions = {}): Paginator<Item> => {
    checkOptions(paginateOptions, options)
    if (isObject(params) && sizeParameter in params) {
      const problem = 'is not a parameter of paginate(); use the option pageSize'
      throw invalidOption(endpoint, sizeParameter, problem)
    }
    const { pageSize = defaultSize, cursor, ...loop } = options
    const filter = strategy.digestOf?.(params)
    const start = readCursor({ endpoint, filter }, cursor, (at) => strategy.parse(at))
    const isResumed = start.position !== undefined
    const source = open({ strategy, params, pageSize, learned, isResumed })
    return createPaginator({ endpoint, filter, source, start }, loop)
  }
  const withDefaults = (params?: Params, options?: PaginateOptions): Paginator<Item> =>
    // The check of the first page reports missing parameters.
    paginate(params ?? ({} as Params), options)
  // The compiler cannot know here if a parameter is required.
  return withDefaults as Paginate<Params, Item>
}
