import type { RequestOptions } from '../transport/call-options.js'
import type { Position } from './cursor.js'

/** Selects a page: the call's parameters, the position before it, and the number of rows to request. */
export interface PageQuery<Params, At extends Position> {
  params: Params
  /** Absent on the first page. */
  position: At | undefined
  pageSize: number
  /** The largest page that the servers accept, for strategies that may need more rows than `pageSize`. */
  maxPageSize: number
}

export interface PageResult<Item, At extends Position> {
  /** Without the items of earlier pages. */
  items: Item[]
  isLast: boolean
  isShort?: boolean
  /**
   * The position after the whole page, if its last item does not determine it: a response may have rows that are not
   * delivered, or nothing new although more follows.
   */
  end?: At
}

/** Describes how an endpoint is paginated, with pure functions. */
export interface PagingStrategy<Params, Result, Item, At extends Position> {
  endpoint: string
  pageSize: {
    default: number
    min: number
    max: number
    /** Accepted by every server; used from then on if a larger page is refused. */
    safe: number
  }
  sizeParameter: string
  request(query: PageQuery<Params, At>): Params
  read(result: Result, query: PageQuery<Params, At>): PageResult<Item, At>
  /** Returns the position after the first items of a page, at least one. */
  after(items: readonly Item[], query: PageQuery<Params, At>): At
  /** Returns the digest of parameters for cursors; `undefined` for invalid ones. */
  digestOf?(params: Params): string | undefined
  /** Reads a stored position; `undefined` for an invalid one. */
  parse(position: Position): At | undefined
}

export type PageCall<Params, Result> = (params: Params, options: RequestOptions) => Promise<Result>
