import { onAbort } from '../transport/abort.js'
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
  const stopFollowing = signal && onAbort(signal, () => controller.abort(signal.reason))

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
      stopFollowing?.()
      controller.abort()
    },
  }
}
