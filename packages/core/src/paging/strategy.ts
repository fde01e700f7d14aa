import type { RequestOptions } from '../transport/options.js'

/** A place in a list: plain JSON values, so that it survives being stored. */
export interface Position {
  readonly [key: string]: string | number | readonly string[]
}

/** Which page is meant: the call's parameters, the place it begins after, and the rows asked for. */
export interface PageQuery<Params, At extends Position> {
  params: Params
  /** Absent on the first page. */
  position: At | undefined
  pageSize: number
}

/** What an answer holds. */
export interface PageAnswer<Item> {
  /** New items only: what earlier pages held already is left out. */
  items: Item[]
  /** Whether nothing follows. */
  isLast: boolean
}

/** How the pages of an endpoint follow each other, as data: pure functions, no state. */
export interface PagingStrategy<Params, Result, Item, At extends Position> {
  /** The endpoint's name, kept in cursors. */
  endpoint: string
  pageSize: {
    default: number
    min: number
    max: number
    /** What every server takes; used from then on when a larger page is refused. */
    safe: number
  }
  /** The parameter that carries the page size; a walk sets it itself. */
  sizeParameter: string
  /** The parameters of one request. */
  request(query: PageQuery<Params, At>): Params
  /** What of the answer is new. */
  read(result: Result, query: PageQuery<Params, At>): PageAnswer<Item>
  /** The place after the first `count` items of a page; `count` is at least 1. */
  after(items: readonly Item[], count: number, query: PageQuery<Params, At>): At
  /** Reads a stored place; `undefined` when it is none. */
  parse(position: Position): At | undefined
}

/** Where a walk is or begins. */
export interface WalkStart<At extends Position> {
  /** Absent before the first item. */
  position: At | undefined
  isDone: boolean
}

/** Requests one page. */
export type PageCall<Params, Result> = (params: Params, options: RequestOptions) => Promise<Result>
