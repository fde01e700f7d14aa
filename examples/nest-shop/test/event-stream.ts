import { onTestFinished } from 'vitest'
import type { OrderView } from '../src/orders/order-views.js'

/** An order page's live events, read as a browser would. */
export interface EventStream {
  contentType: string | null
  /** Reads events until one fits. Rejects when the stream ends before. */
  until(matches: (view: OrderView) => boolean): Promise<OrderView>
  /** Reads until the shop ends the stream. */
  rest(): Promise<OrderView[]>
}

/** Opens the events of an order; they are closed with the test. */
export async function openEvents(url: string, reference: string): Promise<EventStream> {
  const tab = new AbortController()
  onTestFinished(() => tab.abort())
  const answer = await fetch(`${url}/orders/${reference}/events`, { signal: tab.signal })
  if (!answer.ok || answer.body === null) throw new Error(`answered ${answer.status}`)
  // Taken at once: the body of a response that nobody reads goes away with the response.
  const events = readEvents(answer.body.values())
  return {
    contentType: answer.headers.get('content-type'),
    async until(matches) {
      for (let next = await events.next(); next.done !== true; next = await events.next()) {
        if (matches(next.value)) return next.value
      }
      throw new Error('The stream ended before a fitting event')
    },
    async rest() {
      const views: OrderView[] = []
      for await (const view of events) views.push(view)
      return views
    },
  }
}

async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<OrderView, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.trim() === '') continue
      const match = /^event: order\nid: \d+\ndata: (?<json>.+)$/.exec(block.trim())
      if (match?.groups === undefined) throw new Error(`This is no order event: ${block}`)
      // The data of an order event is the order's view.
      yield JSON.parse(match.groups['json'] ?? '') as OrderView
    }
  }
}
