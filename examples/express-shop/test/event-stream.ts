import { onTestFinished } from 'vitest'
import type { OrderView } from '../src/order-view.js'

/** The live events of an order page, as a browser reads them. */
export interface EventStream {
  contentType: string | null
  /** Returns the first event that matches. Rejects when the stream ends before. */
  until(matches: (view: OrderView) => boolean): Promise<OrderView>
  /** Returns all events until the shop ends the stream. */
  rest(): Promise<OrderView[]>
  /** Closes the connection, as a closed tab does. */
  abort(): void
}

/** Opens the events of an order; they are closed with the test. */
export async function openEvents(url: string, reference: string): Promise<EventStream> {
  const tab = new AbortController()
  onTestFinished(() => tab.abort())
  const path = `/orders/${encodeURIComponent(reference)}/events`
  const answer = await fetch(`${url}${path}`, { signal: tab.signal })
  if (!answer.ok || answer.body === null) throw new Error(`${path} answered ${answer.status}`)
  // The iterator references the stream, which could otherwise be garbage-collected before it is read.
  const events = readEvents(answer.body.values())
  return {
    contentType: answer.headers.get('content-type'),
    async until(matches) {
      for (let next = await events.next(); next.done !== true; next = await events.next()) {
        if (matches(next.value)) return next.value
      }
      throw new Error('the stream ended before a matching event')
    },
    async rest() {
      const views: OrderView[] = []
      for await (const view of events) views.push(view)
      return views
    },
    abort: () => tab.abort(),
  }
}

async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<OrderView, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const match = /^event: order\ndata: (?<json>.+)$/.exec(block)
      if (match?.groups === undefined) throw new Error(`not an order event: ${block}`)
      // The data of an order event is the order's view.
      yield JSON.parse(match.groups['json'] ?? '') as OrderView
    }
  }
}
