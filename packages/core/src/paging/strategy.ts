import type { RequestOptions } from '../transport/options.js'

/** A place in a list: plain JSON values, so that it survives being stored. `undefined` stands for absent. */
export interface Position {
  readonly [key: string]: string | number | readonly string[] | undefined
}

/** Which page is meant: the call's parameters, the place it begins after, and the rows asked for. */
export interface PageQuery<Params, At extends Position> {
  params: Params
  /** Absent on the first page. */
  position: At | undefined
  pageSize: number
  /** The largest page that the servers are known to take, where a page of that size would not do. */
  most: number
}

/** What an answer holds. */
export interface PageAnswer<Item, At extends Position> {
  /** New items only: what earlier pages held already is left out. */
  items: Item[]
  /** Whether nothing follows. */
  isLast: boolean
  /** Whether the answer held fewer rows than it was asked for, known ones included. */
  isShort?: boolean
  /**
   * The place after the whole page, where its last item does not say it: an answer may hold rows that are not
   * delivered, or nothing new at all although more follows.
   */
  end?: At
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
  read(result: Result, query: PageQuery<Params, At>): PageAnswer<Item, At>
  /** The place after the first `count` items of a page; `count` is at least 1. */
  after(items: readonly Item[], count: number, query: PageQuery<Params, At>): At
  /** What tells parameters apart in cursors; `undefined` while they are not right. */
  markOf?(params: Params): string | undefined
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
