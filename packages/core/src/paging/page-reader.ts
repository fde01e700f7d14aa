import type { RequestOptions } from '../transport/options.js'
import type { Page, PageSource } from './page-source.js'
import type { Position, WalkStart } from './strategy.js'

/** Reads page after page, until there is none or it is closed. */
export interface PageReader<Item, At extends Position> {
  /** The next page, or `undefined` after the last one. Not to be called again before it has settled. */
  next(): Promise<Page<Item, At> | undefined>
  /** Ends a request that is under way. */
  close(): void
}

/** A reader of what follows `position`. */
export function createPageReader<Item, At extends Position>(
  source: PageSource<Item, At>,
  from: WalkStart<At>,
  options: RequestOptions & { prefetch: boolean },
): PageReader<Item, At> {
  const { prefetch, signal, ...rest } = options
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  if (signal?.aborted === true) abort()
  else signal?.addEventListener('abort', abort, { once: true })

  let { position, isDone } = from
  let ahead: Promise<Page<Item, At>> | undefined
  const load = async (): Promise<Page<Item, At>> =>
    source(position, { ...rest, signal: controller.signal })

  return {
    async next() {
      if (isDone) return undefined
      const page = await (ahead ?? load())
      ahead = undefined
      position = page.after(page.items.length)
      isDone = page.isLast
      if (prefetch && !isDone) {
        ahead = load()
        // Its failure is told when the page is wanted.
        ahead.catch(() => undefined)
      }
      return page
    },
    close() {
      signal?.removeEventListener('abort', abort)
      controller.abort()
    },
  }
}
