import type { Response } from 'express'
import type { ViewOrder } from './order-view.js'

/** Sends each change of an order to the pages that show it, as server-sent events. */
export interface OrderFeed {
  /** Sends the current order, then again after each change, until the page is closed. */
  open(reference: string, response: Response): void
  publish(reference: string): void
  /** Returns the number of pages that show this order. */
  countPages(reference: string): number
  /** Ends all streams. Browsers reconnect automatically. */
  close(): void
}

interface Page {
  refresh(): void
  end(): void
}

/** Creates a feed. */
export function createOrderFeed(viewOrder: ViewOrder): OrderFeed {
  const pagesByReference = new Map<string, Set<Page>>()

  function remove(reference: string, page: Page): void {
    const pages = pagesByReference.get(reference)
    pages?.delete(page)
    if (pages?.size === 0) pagesByReference.delete(reference)
  }

  return {
    open(reference, response) {
      const page = createPage(response, () => viewOrder(reference))
      const pages = pagesByReference.get(reference) ?? new Set<Page>()
      pagesByReference.set(reference, pages.add(page))
      response.on('close', () => remove(reference, page))
      page.refresh()
    },
    publish(reference) {
      for (const page of pagesByReference.get(reference) ?? []) page.refresh()
    },
    countPages: (reference) => pagesByReference.get(reference)?.size ?? 0,
    close() {
      for (const pages of pagesByReference.values()) for (const page of pages) page.end()
    },
  }
}

function createPage(response: Response, read: () => Promise<object | null>): Page {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Disables buffering in nginx.
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  response.flushHeaders()
  let isSending = false
  let isStale = false

  // One read at a time, and one more after a change during it: the last event always has the last state.
  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    while (isStale) {
      isStale = false
      const view = await read()
      if (response.writable) response.write(`event: order\ndata: ${JSON.stringify(view)}\n\n`)
    }
    isSending = false
  }

  return {
    refresh() {
      isStale = true
      // The orders cannot be read: end the stream, the browser reconnects.
      send().catch(() => response.end())
    },
    end: () => response.end(),
  }
}
