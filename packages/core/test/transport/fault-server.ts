import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** How a server answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A request that has arrived. */
interface Arrival {
  method: string | undefined
  url: string | undefined
  apiKey: string | string[] | undefined
  body: string
  /** Settles when its connection is closed before it was answered. */
  closed: Promise<unknown>
}

/** A server that answers by a script. */
export interface FaultServer {
  url: string
  arrivals: Arrival[]
  /** Resolves when so many requests have arrived. */
  waitForArrivals(count: number): Promise<void>
}

/**
 * Starts a server that answers its requests with these, one after the other; the last one serves all that follow.
 * It ends with the test.
 */
export async function startFaultServer(...script: Answer[]): Promise<FaultServer> {
  const arrivals: Arrival[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let received = 0
  const server = createServer((request, response) => {
    const answer = script[Math.min(received++, script.length - 1)]
    const closed = new Promise<void>((resolve) => {
      response.on('close', () => response.writableFinished || resolve())
    })
    void text(request).then((body) => {
      const { method, url, headers } = request
      arrivals.push({ method, url, apiKey: headers['x-api-key'], body, closed })
      for (const { count, resolve } of waiting) if (arrivals.length >= count) resolve()
      answer?.(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    arrivals,
    async waitForArrivals(count) {
      if (arrivals.length >= count) return
      await new Promise<void>((resolve) => waiting.push({ count, resolve }))
    },
  }
}

type Headers = Record<string, string>

/** Answers with this status and body. */
export function say(status: number, body: string, headers: Headers = {}): Answer {
  return (_, response) => {
    // Without this Node adds the date, which decides how a Retry-After date is read.
    response.sendDate = 'date' in headers
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

/** Answers with this status and JSON. */
export function sayJson(status: number, body: unknown, headers: Headers = {}): Answer {
  return say(status, JSON.stringify(body), headers)
}

/** Answers in the envelope of a success. */
export function succeed(result: unknown): Answer {
  return sayJson(200, { ok: true, result })
}

/** Answers in the envelope of an error. */
export function refuse(status: number, error: string, headers: Headers = {}): Answer {
  return sayJson(status, { ok: false, error, code: status }, headers)
}

/** Never answers. */
export const stallHeaders: Answer = () => undefined

/** Begins its answer and stops. */
export const stallBody: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"ok":true,')
}

/** Promises more than it sends, and closes the connection. */
export const truncate: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"ok":true,', () => response.destroy())
}

/** Closes the connection with a reset. */
export const reset: Answer = (request) => {
  request.socket.resetAndDestroy()
}

/** Sends so many bytes, at the pace of the reader; @param sent counts them. */
export function flood(bytes: number, sent: { bytes: number }, headers: Headers = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    const block = Buffer.alloc(1_048_576, ' ')
    const write = (): void => {
      while (sent.bytes < bytes) {
        sent.bytes += block.length
        if (!response.write(block)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
}
