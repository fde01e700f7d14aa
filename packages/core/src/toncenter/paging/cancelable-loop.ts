import { linkAbort } from '../../shared/abort.js'
import { lazy } from '../../shared/lazy.js'

interface CancelableLoop<Item> {
  next(): Promise<IteratorResult<Item, void>>
  return(): Promise<IteratorResult<Item, void>>
  [Symbol.asyncIterator](): CancelableLoop<Item>
}

/** The reason of requests that are no longer needed, which nothing reports. A new one for each loop takes a stack trace. */
const ended = lazy(() => new DOMException('This operation was aborted', 'AbortError'))

/**
 * Runs a generator that can be left at any moment: `return()` also ends the current request or wait, which that of a
 * generator would await. Nothing starts before the first `next()`.
 * @param start creates the generator; its signal is aborted when the loop is left, and with `outer`, for the same reason
 */
export function cancelableLoop<Item>(
  start: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
  outer: AbortSignal | undefined,
): CancelableLoop<Item> {
  const controller = new AbortController()
  const loop = start(controller.signal)
  let unlink: (() => void) | undefined
  let isLeft = false

  /** Ends all pending requests, including prefetched ones. */
  const end = (): void => {
    unlink?.()
    controller.abort(ended())
  }

  return {
    async next() {
      if (!isLeft) unlink ??= linkAbort(outer, controller)
      try {
        const result = await loop.next()
        if (result.done === true) end()
        return result
      } catch (error) {
        end()
        // The wait ended because the loop was left.
        if (isLeft) return { done: true, value: undefined }
        throw error
      }
    },
    async return() {
      isLeft = true
      end()
      await loop.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Loops over the same items, one by one and by page. */
export interface Loops<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Item[]>
}

/**
 * Creates the loops over pages. Both can be left at any moment.
 * @param read requests the pages. None of them is empty.
 * @param deliver records that an entry of a page is delivered, and returns its item
 */
export function loopsOver<Entry, Page extends { items: readonly Entry[] }, Item>(
  read: (signal: AbortSignal) => AsyncIterable<Page>,
  deliver: (entry: Entry, index: number, page: Page) => Item,
  outer: AbortSignal | undefined,
): Loops<Item> {
  async function* byItem(signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
    for await (const page of read(signal)) {
      for (const [index, entry] of page.items.entries()) {
        signal.throwIfAborted()
        yield deliver(entry, index, page)
      }
    }
  }

  async function* byPage(signal: AbortSignal): AsyncGenerator<Item[], void, undefined> {
    for await (const page of read(signal)) {
      signal.throwIfAborted()
      yield page.items.map((entry, index) => deliver(entry, index, page))
    }
  }

  return {
    [Symbol.asyncIterator]: () => cancelableLoop(byItem, outer),
    pages: () => cancelableLoop(byPage, outer),
  }
}
