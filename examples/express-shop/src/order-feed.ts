import type { Response } from 'express'
import type { ViewOrder } from './order-view.js'

/** Sends each change of an order to the pages that show it, as server-sent events. */
export interface OrderFeed {
  /** Sends the order as it stands, then again after each change, until the page is gone. */
  open(reference: string, response: Response): void
  publish(reference: string): void
  /** How many pages show this order. */
  countPages(reference: string): number
  /** Ends all streams. Browsers connect again by themselves. */
  close(): void
}

interface Page {
  refresh(): void
  end(): void
}

/** Keeps the open pages of each order. */
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
    // Keeps nginx from collecting the events.
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  response.flushHeaders()
  let isSending = false
  let isStale = false

  // One read at a time, and one more when something changed meanwhile: the last event is always the last state.
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
      // The orders cannot be read: end the stream, the browser tries again.
      send().catch(() => response.end())
    },
    end: () => response.end(),
  }
}
