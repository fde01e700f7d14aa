import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request to a mock API. */
export interface ApiRequest {
  method: string
  /** Path and query as sent. */
  url: string
  /** The path below `/api/v2` or `/api/v3`. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  apiKey: string | undefined
  /** The body as sent. */
  text: string
  /** The body as JSON; `undefined` for an empty one. */
  readonly body: unknown
  /** Resolves when the client closes the connection before the response is complete. */
  closed: Promise<void>
  /** Reports whether `closed` has resolved. */
  isClosed: boolean
}

/** A response with status 200 and JSON, unless set otherwise. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** A string is sent as it is, everything else as JSON. */
  body: unknown
}

/** Writes a response, or fails in its own way. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** A response: a string is the body of a {@link Reply}. */
export type MockReply = string | Reply | Respond

/** A local HTTP server that plays an API. */
export interface MockApi {
  baseUrl: string
  /** The requests so far, oldest first. */
  requests: ApiRequest[]
  /** Resolves after that many requests. */
  waitForRequests: (count: number) => Promise<void>
  /** Resolves with the next request to a path. */
  nextRequest: (path: string) => Promise<ApiRequest>
  /** Closes the port and every connection before the test ends. */
  close: () => Promise<void>
}

/** Serves until the test ends. @param reply chooses the response to each request */
export async function startMockApi(
  reply: (request: ApiRequest) => MockReply | Promise<MockReply>,
): Promise<MockApi> {
  const requests: ApiRequest[] = []
  const events = new EventEmitter<{ request: [ApiRequest] }>()
  // A connection that is closed while a client sends a request on it fails the request.
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    void serve(message, response)
  })

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message, response)
    requests.push(request)
    events.emit('request', request)
    send(await reply(request), message, response)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  onTestFinished(close)
  return {
    // It listens on a TCP port.
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async waitForRequests(count) {
      while (requests.length < count) await once(events, 'request')
    },
    nextRequest: async (path) =>
      new Promise((resolve) => {
        events.on('request', function check(request) {
          if (request.path !== path) return
          events.off('request', check)
          resolve(request)
        })
      }),
    close,
  }
}

/** Serves until the test ends: the responses in their order, then the last one again and again. */
export async function startScriptedApi(
  ...script: (MockReply | Promise<MockReply>)[]
): Promise<MockApi> {
  let next = 0
  return startMockApi(() => script[Math.min(next++, script.length - 1)] ?? '')
}

async function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
): Promise<ApiRequest> {
  const { method = '', url = '/', headers } = message
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const request: ApiRequest = {
    method,
    url,
    path: pathname.replace(/^.*\/api\/v[23](?=\/)/, ''),
    query: searchParams,
    headers,
    apiKey: headers['x-api-key']?.toString(),
    text: '',
    get body(): unknown {
      return request.text === '' ? undefined : JSON.parse(request.text)
    },
    closed: new Promise((resolve) => {
      response.once('close', () => {
        if (response.writableFinished) return
        request.isClosed = true
        resolve()
      })
    }),
    isClosed: false,
  }
  request.text = await readText(message)
  return request
}

function send(reply: MockReply, message: IncomingMessage, response: ServerResponse): void {
  if (typeof reply === 'function') return reply(message, response)
  const { status = 200, headers = {}, body } = typeof reply === 'string' ? { body: reply } : reply
  // Node adds the date otherwise, which decides how a Retry-After date is read.
  response.sendDate = 'date' in headers
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
