import { ResponseShapeError, ValidationError } from '../errors/api.js'
import type { RequestOptions } from '../transport/options.js'
import type { PageCall, PageQuery, PagingStrategy, Position } from './strategy.js'

/** One page in memory. */
export interface Page<Item, At extends Position> {
  items: Item[]
  /** Whether nothing follows. */
  isLast: boolean
  /** Whether the server answered fewer rows than it was asked for, known ones included. */
  isShort: boolean
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
  /** Whether the walk goes on from a cursor. */
  isResumed: boolean
}

/** A source that requests each page with `call`. A page size that the server refuses is not asked for again. */
export function createPageSource<Params, Result, Item, At extends Position>(
  { strategy, params, pageSize, learned }: Omit<PagedList<Params, Result, Item, At>, 'isResumed'>,
  call: PageCall<Params, Result>,
): PageSource<Item, At> {
  const ask = async (query: PageQuery<Params, At>, options: RequestOptions) => {
    const answer = strategy.read(await call(strategy.request(query), options), query)
    const { items, isLast, isShort = false, end } = answer
    const after = (count: number): At | undefined => {
      if (count === items.length && end !== undefined) return end
      return count === 0 ? query.position : strategy.after(items, count, query)
    }
    return { items, isLast, isShort, after }
  }

  const askSafely = async (position: At | undefined, options: RequestOptions) => {
    const { safe } = strategy.pageSize
    const wanted = Math.min(pageSize, learned.max)
    try {
      return await ask({ params, position, pageSize: wanted, most: learned.max }, options)
    } catch (error) {
      if (learned.max <= safe || !isAboutSize(error, strategy.sizeParameter)) throw error
      const page = await ask(
        { params, position, pageSize: Math.min(wanted, safe), most: safe },
        options,
      )
      learned.max = safe
      return page
    }
  }

  return async (position, options) => {
    let at = position
    for (;;) {
      const page = await askSafely(at, options)
      if (page.items.length > 0 || page.isLast) return page
      const next = page.after(0)
      if (JSON.stringify(next) === JSON.stringify(at)) throw stalled(strategy.endpoint)
      at = next
    }
  }
}

/** Whether the server refused the page size: its text names the parameter. */
function isAboutSize(error: unknown, sizeParameter: string): boolean {
  return (
    error instanceof ValidationError &&
    new RegExp(`\\b${sizeParameter}\\b`).test(error.details.reason)
  )
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
