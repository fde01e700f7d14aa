import { isApiError } from '../errors/api.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { Position } from './cursor.js'
import { invalidPage } from './errors.js'

/** Selects a page: the position before it, and the number of rows to request. */
export interface PageQuery<At extends Position> {
  /** Absent on the first page. */
  position: At | undefined
  pageSize: number
  /** The largest page that the servers accept, for lists that may need more rows than `pageSize`. */
  maxPageSize: number
}

export interface Page<Item, At extends Position> {
  /** Without the items of earlier pages. */
  items: Item[]
  /** `true` if nothing follows. */
  isLast: boolean
  /** `true` if the response had fewer rows than requested, known ones included. */
  isShort?: boolean
  /**
   * Returns the position after the first `count` items. After all of them it may be a later one: a response may have rows
   * that are not delivered, or nothing new although more follows.
   */
  after(this: void, count: number): At | undefined
}

/** Requests one page. */
export type ReadPage<Item, At extends Position> = (
  query: PageQuery<At>,
  options: RequestOptions,
) => Promise<Page<Item, At>>

/** Reads the next page that is not empty, or the last one. */
export type PageSource<Item, At extends Position> = (
  position: At | undefined,
  options: RequestOptions,
) => Promise<Page<Item, At>>

export interface PageSizes {
  default: number
  min: number
  max: number
  /** Accepted by every server; used from then on if a larger page is refused. */
  safe: number
  /** The parameter of the endpoint. */
  parameter: string
}

/** The largest page size that the servers of a client accept, shared by its paginators. */
export interface LearnedPageSize {
  max: number
}

interface SourceRules {
  endpoint: string
  sizes: Pick<PageSizes, 'safe' | 'parameter'>
  pageSize: number
  learned: LearnedPageSize
}

/** Creates a source that requests each page with `read`. A page size that a server refuses is not requested again. */
export function createPageSource<Item, At extends Position>(
  { endpoint, sizes: { safe, parameter }, pageSize, learned }: SourceRules,
  read: ReadPage<Item, At>,
): PageSource<Item, At> {
  const readAccepted = async (position: At | undefined, options: RequestOptions) => {
    const { max } = learned
    const size = Math.min(pageSize, max)
    try {
      return await read({ position, pageSize: size, maxPageSize: max }, options)
    } catch (error) {
      if (max <= safe || !isPageSizeError(error, parameter)) throw error
      const smaller = { pageSize: Math.min(size, safe), maxPageSize: safe }
      const page = await read({ position, ...smaller }, options)
      learned.max = safe
      return page
    }
  }

  return async (position, options) => {
    let at = position
    for (;;) {
      const page = await readAccepted(at, options)
      if (page.items.length > 0 || page.isLast) return page
      const next = page.after(0)
      if (JSON.stringify(next) === JSON.stringify(at)) {
        throw invalidPage(endpoint, 'the next page: it has nothing new although more follows')
      }
      at = next
    }
  }
}

/** Returns true if the server refused the page size: its error names the parameter. */
function isPageSizeError(error: unknown, parameter: string): boolean {
  return (
    isApiError(error, 'ERR_TONPLUG_VALIDATION') &&
    new RegExp(`\\b${parameter}\\b`).test(error.details.reason)
  )
}
