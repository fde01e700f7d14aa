import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** Polling interval for changes outside the page, for example a transfer that the shop creates. */
const POLL_MS = 500
/** Changes within this time are sent together. */
const PAUSE_MS = 50
const HEARTBEAT_MS = 15_000

/** Sends the state to pages as server-sent events. */
export interface EventStream {
  /** Keeps the response open, and sends the state now and after each change. */
  add(response: ServerResponse): void
  /** Sends the state soon, if it has changed. */
  notify(): void
  close(): void
}

/** Creates a stream without readers. @param read returns the state, which is sent when its JSON has changed. */
export function createEventStream(read: () => Promise<object>): EventStream {
  const readers = new Map<ServerResponse, string>()
  let isReading = false
  let isStale = false

  const poll = async (): Promise<void> => {
    isStale = true
    if (isReading || readers.size === 0) return
    isReading = true
    while (isStale && readers.size > 0) {
      isStale = false
      const json = await read().then(JSON.stringify, () => undefined)
      if (json !== undefined) send(readers, json)
      await setTimeout(PAUSE_MS)
    }
    isReading = false
  }
  const polling = setInterval(() => void poll(), POLL_MS)
  const heartbeat = setInterval(() => {
    for (const response of readers.keys()) response.write(': alive\n\n')
  }, HEARTBEAT_MS)

  return {
    add(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.write('retry: 1000\n\n')
      readers.set(response, '')
      response.once('close', () => readers.delete(response))
      void poll()
    },
    notify: () => void poll(),
    close() {
      clearInterval(polling)
      clearInterval(heartbeat)
      for (const response of readers.keys()) response.end()
      readers.clear()
    },
  }
}

/** Sends a state to the readers that have another one. */
function send(readers: Map<ServerResponse, string>, json: string): void {
  for (const [response, sent] of readers) {
    // A slow reader skips intermediate states.
    if (json === sent || response.writableNeedDrain) continue
    readers.set(response, json)
    response.write(`event: state\ndata: ${json}\n\n`)
  }
}
