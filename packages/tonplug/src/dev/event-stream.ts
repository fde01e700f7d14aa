import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** What happens beside the page, such as a transfer that a shop creates, is seen within this time. */
const LOOK_MS = 500
/** Changes that follow each other faster are told of together. */
const PAUSE_MS = 50
const HEARTBEAT_MS = 15_000

/** Tells pages the newest state, as server-sent events. */
export interface EventStream {
  /** Keeps the response open, and tells it the state now and after each change. */
  add(response: ServerResponse): void
  /** Has the state told soon, where it has changed. */
  tell(): void
  close(): void
}

/** Creates a stream without readers. @param read the state; it is told when its JSON has changed. */
export function createEventStream(read: () => Promise<object>): EventStream {
  const readers = new Map<ServerResponse, string>()
  let isReading = false
  let isStale = false

  const look = async (): Promise<void> => {
    isStale = true
    if (isReading || readers.size === 0) return
    isReading = true
    while (isStale && readers.size > 0) {
      isStale = false
      const json = await read().then(JSON.stringify, () => undefined)
      for (const [response, told] of readers) {
        // A reader who is slow skips what he has missed.
        if (json === undefined || json === told || response.writableNeedDrain) continue
        readers.set(response, json)
        response.write(`event: state\ndata: ${json}\n\n`)
      }
      await setTimeout(PAUSE_MS)
    }
    isReading = false
  }
  const looking = setInterval(() => void look(), LOOK_MS)
  const heartbeat = setInterval(() => {
    for (const response of readers.keys()) response.write(': alive\n\n')
  }, HEARTBEAT_MS)

  return {
    add(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.write('retry: 1000\n\n')
      readers.set(response, '')
      response.once('close', () => readers.delete(response))
      void look()
    },
    tell: () => void look(),
    close() {
      clearInterval(looking)
      clearInterval(heartbeat)
      for (const response of readers.keys()) response.end()
      readers.clear()
    },
  }
}
