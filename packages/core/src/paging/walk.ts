import type { RequestOptions } from '../transport/options.js'
import type { Cursor } from './cursor.js'
import { leavable } from './leavable.js'
import { createPageReader } from './page-reader.js'
import type { Page, PageSource } from './page-source.js'
import type { Position, WalkStart } from './strategy.js'

/** Options of one walk. Those of a request hold for each of its requests; `signal` ends the walk as well. */
export interface WalkOptions extends RequestOptions {
  /**
   * Rows asked for in one request. 1000 are the most, and of a block of API v2 10 000; a server that takes 100 only is
   * asked for 100 from then on. The larger, the longer the server needs: see `timeoutMs`.
   * @default 100; 256 for the transactions of a block of API v2
   */
  pageSize?: number | undefined
  /** Whether the next page is requested while the current one is used: two pages in memory. @default false */
  prefetch?: boolean | undefined
  /** Where to go on: what `cursor()` of an earlier walk with the same parameters said. */
  cursor?: Cursor | undefined
}

/**
 * A walk over all items of a list, with one page in memory. A loop that was left is continued by the next loop over
 * the same walk; only one may run at a time.
 */
export interface Walk<Item> extends AsyncIterable<Item> {
  /** The same walk by pages. None of them is empty. */
  pages(): AsyncIterable<Item[]>
  /**
   * How far the walk has come. All that was delivered is behind it, the item or page that the loop now works on
   * included: store it when that work is done.
   */
  cursor(): Cursor
}

/** Where a walk is: behind the first `delivered` items of a page, or between pages. */
type Place<Item, At extends Position> = { page: Page<Item, At>; delivered: number } | WalkStart<At>

/** A walk over what `source` loads. Nothing is requested before a loop begins. */
export function createWalk<Item, At extends Position>(
  list: {
    endpoint: string
    filter: string | undefined
    source: PageSource<Item, At>
    start: WalkStart<At>
  },
  options: WalkOptions,
): Walk<Item> {
  const { endpoint, filter, source, start } = list
  let place: Place<Item, At> = start
  const {
    pageSize: _pageSize,
    cursor: _cursor,
    prefetch = false,
    signal: outer,
    ...request
  } = options
  const open = (signal: AbortSignal) =>
    createPageReader(source, between(place), { ...request, signal, prefetch })

  async function* byItem(signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
    const reader = open(signal)
    try {
      for (let page = await reader.next(); page !== undefined; page = await reader.next()) {
        for (const [index, item] of page.items.entries()) {
          signal.throwIfAborted()
          place = { page, delivered: index + 1 }
          yield item
        }
        place = behind(page)
      }
    } finally {
      reader.close()
    }
  }

  async function* byPage(signal: AbortSignal): AsyncGenerator<Item[], void, undefined> {
    const reader = open(signal)
    try {
      for (let page = await reader.next(); page !== undefined; page = await reader.next()) {
        signal.throwIfAborted()
        place = behind(page)
        if (page.items.length > 0) yield page.items
      }
    } finally {
      reader.close()
    }
  }

  return {
    [Symbol.asyncIterator]: () => leavable(byItem, outer),
    pages: () => leavable(byPage, outer),
    cursor() {
      const { position, isDone } = between(place)
      return { endpoint, position: position ?? null, isDone, filter }
    },
  }
}

function behind<Item, At extends Position>(page: Page<Item, At>): Place<Item, At> {
  return { position: page.after(page.items.length), isDone: page.isLast }
}

function between<Item, At extends Position>(place: Place<Item, At>): WalkStart<At> {
  if (!('page' in place)) return place
  const { page, delivered } = place
  return {
    position: page.after(delivered),
    isDone: page.isLast && delivered === page.items.length,
  }
}
