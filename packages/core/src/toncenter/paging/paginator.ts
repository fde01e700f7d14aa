import type { RequestOptions } from '../transport/call-options.js'
import { cancelableLoop } from './cancelable-loop.js'
import type { Cursor, Position, Progress } from './cursor.js'
import type { Page, PageSource } from './page-source.js'

/** Options of a paginator. Those of a request apply to each of its requests; `signal` also ends the loop. */
export interface PaginateOptions extends RequestOptions {
  /**
   * Rows per request, at most 1000, or 10 000 for a block of API v2. A server that accepts only 100 is asked for 100 from
   * then on. Larger pages take the server longer: see `timeoutMs`.
   * @default 100; 256 for the transactions of a block of API v2
   */
  pageSize?: number | undefined
  /** Requests the next page while the current one is used; keeps two pages in memory. @default false */
  prefetch?: boolean | undefined
  /** Continues from `cursor()` of an earlier paginator with the same parameters. */
  cursor?: Cursor | undefined
}

/**
 * Iterates over all items of a list with one page in memory. A new loop continues where the previous one was left. Only one
 * loop may run at a time.
 */
export interface Paginator<Item> extends AsyncIterable<Item> {
  /** Iterates over the pages. None of them is empty. */
  pages(): AsyncIterable<Item[]>
  /**
   * Returns the position after everything that was delivered, including the item or page that the loop is processing.
   * Store it when that item or page has been processed.
   */
  cursor(): Cursor
}

/** The position in a page after `delivered` items, or a position between pages. */
type Place<Item, At extends Position> = { page: Page<Item, At>; delivered: number } | Progress<At>

/** The list of a paginator. */
interface PaginatedPages<Item, At extends Position> {
  endpoint: string
  filter: string | undefined
  source: PageSource<Item, At>
  start: Progress<At>
}

/** Creates a paginator over the pages of `source`. Nothing is requested before a loop starts. */
export function createPaginator<Item, At extends Position>(
  { endpoint, filter, source, start }: PaginatedPages<Item, At>,
  { prefetch = false, signal: outer, ...request }: Omit<PaginateOptions, 'pageSize' | 'cursor'>,
): Paginator<Item> {
  let place: Place<Item, At> = start
  const pagesFrom = (signal: AbortSignal) =>
    readPages(source, progressAt(place), { ...request, signal, prefetch })

  async function* byItem(signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
    for await (const page of pagesFrom(signal)) {
      for (const [index, item] of page.items.entries()) {
        signal.throwIfAborted()
        place = { page, delivered: index + 1 }
        yield item
      }
      place = endOf(page)
    }
  }

  async function* byPage(signal: AbortSignal): AsyncGenerator<Item[], void, undefined> {
    for await (const page of pagesFrom(signal)) {
      signal.throwIfAborted()
      place = endOf(page)
      if (page.items.length > 0) yield page.items
    }
  }

  return {
    [Symbol.asyncIterator]: () => cancelableLoop(byItem, outer),
    pages: () => cancelableLoop(byPage, outer),
    cursor() {
      const { position, isDone } = progressAt(place)
      return { endpoint, position: position ?? null, isDone, filter }
    },
  }
}

/** Reads page after page until the signal is aborted, which also ends a prefetched request. */
async function* readPages<Item, At extends Position>(
  source: PageSource<Item, At>,
  { position, isDone }: Progress<At>,
  { prefetch, ...request }: RequestOptions & { prefetch: boolean },
): AsyncGenerator<Page<Item, At>, void, undefined> {
  let at = position
  let ahead: Promise<Page<Item, At>> | undefined
  for (let isEnd = isDone; !isEnd;) {
    const page = await (ahead ?? source(at, request))
    at = page.after(page.items.length)
    isEnd = page.isLast
    ahead = prefetch && !isEnd ? source(at, request) : undefined
    // Its failure is thrown when the page is needed.
    ahead?.catch(() => undefined)
    yield page
  }
}

function endOf<Item, At extends Position>(page: Page<Item, At>): Progress<At> {
  return { position: page.after(page.items.length), isDone: page.isLast }
}

function progressAt<Item, At extends Position>(place: Place<Item, At>): Progress<At> {
  if (!('page' in place)) return place
  const { page, delivered } = place
  return { position: page.after(delivered), isDone: page.isLast && delivered === page.items.length }
}
