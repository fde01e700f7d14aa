import { isApiError, ResponseShapeError } from '../errors/api.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { Position } from './cursor.js'
import type { PageCall, PageQuery, PagingStrategy } from './strategy.js'

export interface Page<Item, At extends Position> {
  items: Item[]
  /** `true` if nothing follows. */
  isLast: boolean
  /** `true` if the response had fewer rows than requested, known ones included. */
  isShort: boolean
  /** Returns the position after the first `count` items. */
  after(count: number): At | undefined
}

export type PageSource<Item, At extends Position> = (
  position: At | undefined,
  options: RequestOptions,
) => Promise<Page<Item, At>>

/** The largest page size that the servers of a client accept, shared by its paginators. */
export interface LearnedPageSize {
  max: number
}

export interface PagedList<Params, Result, Item, At extends Position> {
  strategy: PagingStrategy<Params, Result, Item, At>
  params: Params
  pageSize: number
  learned: LearnedPageSize
}

/** Creates a source that requests each page with `call`. A page size that a server refuses is not requested again. */
export function createPageSource<Params, Result, Item, At extends Position>(
  { strategy, params, pageSize, learned }: PagedList<Params, Result, Item, At>,
  call: PageCall<Params, Result>,
): PageSource<Item, At> {
  const load = async (query: PageQuery<Params, At>, options: RequestOptions) => {
    const result = strategy.read(await call(strategy.request(query), options), query)
    const { items, isLast, isShort = false, end } = result
    const after = (count: number): At | undefined => {
      if (count === items.length && end !== undefined) return end
      return count === 0 ? query.position : strategy.after(items.slice(0, count), query)
    }
    return { items, isLast, isShort, after }
  }

  const loadAccepted = async (position: At | undefined, options: RequestOptions) => {
    const { safe } = strategy.pageSize
    const { max } = learned
    const size = Math.min(pageSize, max)
    try {
      return await load({ params, position, pageSize: size, maxPageSize: max }, options)
    } catch (error) {
      if (learned.max <= safe || !isPageSizeError(error, strategy.sizeParameter)) throw error
      const smaller = { pageSize: Math.min(size, safe), maxPageSize: safe }
      const page = await load({ params, position, ...smaller }, options)
      learned.max = safe
      return page
    }
  }

  return async (position, options) => {
    let at = position
    for (;;) {
      const page = await loadAccepted(at, options)
      if (page.items.length > 0 || page.isLast) return page
      const next = page.after(0)
      if (JSON.stringify(next) === JSON.stringify(at)) throw stalled(strategy.endpoint)
      at = next
    }
  }
}

/** Returns true if the server refused the page size: its error names the parameter. */
function isPageSizeError(error: unknown, sizeParameter: string): boolean {
  return (
    isApiError(error, 'ERR_TONPLUG_VALIDATION') &&
    new RegExp(`\\b${sizeParameter}\\b`).test(error.details.reason)
  )
}

function stalled(endpoint: string): ResponseShapeError {
  return new ResponseShapeError({
    endpoint,
    attempts: 1,
    path: '',
    expected: 'the next page: it has nothing new although more follows',
    requestId: undefined,
  })
}
