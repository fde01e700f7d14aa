import { ResponseShapeError, ValidationError } from '../errors/api.js'
import type { RequestOptions } from '../transport/options.js'
import type { PageCall, PageQuery, PagingStrategy, Position } from './strategy.js'

/** One page in memory. */
export interface Page<Item, At extends Position> {
  items: Item[]
  /** Whether nothing follows. */
  isLast: boolean
  /** The place behind its first `count` items. */
  after(count: number): At | undefined
}

/** Loads the page that follows a place. */
export type PageSource<Item, At extends Position> = (
  position: At | undefined,
  options: RequestOptions,
) => Promise<Page<Item, At>>

/** The page size that the servers of a client are known to take; shared by its walks. */
export interface LearnedPageSize {
  max: number
}

/** What a source loads from. */
export interface PagedList<Params, Result, Item, At extends Position> {
  strategy: PagingStrategy<Params, Result, Item, At>
  params: Params
  pageSize: number
  learned: LearnedPageSize
}

/** A source that requests each page with `call`. A page size that the server refuses is not asked for again. */
export function createPageSource<Params, Result, Item, At extends Position>(
  { strategy, params, pageSize, learned }: PagedList<Params, Result, Item, At>,
  call: PageCall<Params, Result>,
): PageSource<Item, At> {
  const ask = async (query: PageQuery<Params, At>, options: RequestOptions) => {
    const { items, isLast } = strategy.read(await call(strategy.request(query), options), query)
    if (items.length === 0 && !isLast) throw stalled(strategy.endpoint)
    const after = (count: number): At | undefined =>
      count === 0 ? query.position : strategy.after(items, count, query)
    return { items, isLast, after }
  }

  return async (position, options) => {
    const { safe } = strategy.pageSize
    const wanted = Math.min(pageSize, learned.max)
    try {
      return await ask({ params, position, pageSize: wanted }, options)
    } catch (error) {
      if (!(error instanceof ValidationError) || wanted <= safe) throw error
      const page = await ask({ params, position, pageSize: safe }, options)
      learned.max = safe
      return page
    }
  }
}

function stalled(endpoint: string): ResponseShapeError {
  return new ResponseShapeError({
    endpoint,
    attempts: 1,
    path: '',
    expected: 'the next page: it says that more follows, and holds nothing new',
    requestId: undefined,
  })
}
