import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
import { describeForeignRequest } from '@tonplug/testing'

/** A request to a simulated API. */
export interface ApiRequest {
  method: string
  /** Below `/api/v2`, `/api/v3` or `/api/emulate/v1`. */
  path: string
  query: URLSearchParams
  /** The parsed JSON body; an empty object when it is missing. */
  body: Readonly<Record<string, unknown>>
}

/** A response of a simulated API. */
export interface ApiReply {
  status?: number
  body: unknown
}

/** A simulated fault: a status with any body, no response, or a closed connection. */
export type Fault = { status: number; body: string } | 'hang' | 'reset'

/** A simulated API. */
export interface ServedApi {
  /** The origin of the server, which is the option `baseUrl` of `createV2Client`. */
  url: string
  /** What arrived, oldest first; of many, the newest. */
  requests: readonly ApiRequest[]
  /** Returns the fault for a request; set by tests. @default undefined */
  fault: ((request: ApiRequest) => Fault | undefined) | undefined
  /** Number of open requests without a response. */
  readonly hanging: number
}

/** A local HTTP server that can serve several APIs. */
export interface ApiServer {
  /** The origin of the server. */
  readonly url: string
  /** Serves the requests below a path with JSON. */
  mount(base: '/api/v2' | '/api/v3' | '/api/emulate/v1', handle: Handler): ServedApi
  /** Leaves the requests and upgrades below a path to a server of connections. */
  mountConnections(base: string, server: ConnectionServer): void
  close(): Promise<void>
}

/** Serves requests that stay open. */
export interface ConnectionServer {
  request(message: IncomingMessage, response: ServerResponse): void
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends all connections. */
  close(): void
}

export type Handler = (request: ApiRequest) => Promise<ApiReply>

const REQUESTS_KEPT = 1_000
const MAX_BODY_BYTES = 1_048_576
/** A connection that is closed while a client sends a request on it fails the request. */
const KEEP_ALIVE_MS = 60_000

/** Starts a server on the loopback interface. @param port @default 0, a free one */
export async function startApiServer(port = 0): Promise<ApiServer> {
  const apis = new Map<string, Serve>()
  const connections = new Map<string, ConnectionServer>()
  const connectionsAt = ({ url: path = '' }: IncomingMessage): ConnectionServer | undefined =>
    [...connections].find(([base]) => path.startsWith(`${base}/`))?.[1]
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (message, response) => {
    const open = connectionsAt(message)
    const problem = describeForeignRequest(message)
    if (problem !== undefined) reply(response, { status: 403, body: { error: problem } })
    else if (open === undefined) void respond(apis, message, response)
    else open.request(message, response)
  })
  server.on('upgrade', (message, socket, head) => {
    const open = connectionsAt(message)
    if (describeForeignRequest(message) !== undefined) socket.end(FORBIDDEN)
    else if (open === undefined) socket.destroy()
    else open.upgrade(message, socket, head)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // The server listens on a port, so its address is an object.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    mount(base, handle) {
      const { api, serve } = serveApi(url, handle)
      apis.set(base, serve)
      return api
    },
    mountConnections: (base, open) => void connections.set(base, open),
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const open of connections.values()) open.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Responds to a request to one of the APIs. */
async function respond(
  apis: ReadonlyMap<string, Serve>,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  reply(response, await replyTo(apis, message, response).catch(describeFailure))
}

function reply(response: ServerResponse, { status = 200, body }: ApiReply): void {
  // Unread bytes of the body would precede the next request.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

function describeFailure(error: unknown): ApiReply {
  if (error instanceof SyntaxError) return UNREADABLE
  if (error instanceof BodyTooLargeError) return TOO_LARGE
  return { status: 500, body: { error: String(error) } }
}

async function replyTo(
  apis: ReadonlyMap<string, Serve>,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<ApiReply> {
  const { base, request } = await readRequest(message)
  const serve = apis.get(base)
  if (serve === undefined) return NOT_FOUND
  const served = serve(request, message)
  response.on('close', served.release)
  return served.reply
}

const UNREADABLE: ApiReply = {
  status: 422,
  body: { ok: false, error: 'failed to parse post request: the body is not JSON', code: 422 },
}
const TOO_LARGE: ApiReply = { status: 413, body: { error: 'Request Entity Too Large' } }
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'
const NOT_FOUND: ApiReply = { status: 404, body: { error: 'Not Found' } }

/** A pending response, and the callback for a closed connection. */
interface Served {
  reply: Promise<ApiReply>
  release: () => void
}

type Serve = (request: ApiRequest, message: IncomingMessage) => Served

function serveApi(url: string, handle: Handler) {
  const requests: ApiRequest[] = []
  let hanging = 0
  const api: ServedApi = {
    url,
    requests,
    fault: undefined,
    get hanging() {
      return hanging
    },
  }
  function serve(request: ApiRequest, message: IncomingMessage): Served {
    requests.push(request)
    if (requests.length > 2 * REQUESTS_KEPT) requests.splice(0, REQUESTS_KEPT)
    const fault = api.fault?.(request)
    if (fault === undefined) return { reply: handle(request), release: () => undefined }
    if (typeof fault === 'object') {
      return { reply: Promise.resolve(fault), release: () => undefined }
    }
    if (fault === 'reset') message.socket.destroy()
    hanging++
    return { reply: new Promise<never>(() => undefined), release: () => hanging-- }
  }
  return { api, serve }
}

async function readRequest(
  message: IncomingMessage,
): Promise<{ base: string; request: ApiRequest }> {
  const url = new URL(message.url ?? '', 'http://localhost')
  const text = await readText(message)
  const base = /^\/api\/(?:v[23]|emulate\/v1)(?=\/)/.exec(url.pathname)?.[0] ?? ''
  const request: ApiRequest = {
    method: message.method ?? '',
    path: url.pathname.slice(base.length),
    query: url.searchParams,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
  return { base, request }
}

/** Reads the body of a request. @throws {BodyTooLargeError} beyond 1 MiB. */
export async function readText(message: IncomingMessage): Promise<string> {
  // The server closes its connections when it closes, which also ends a read.
  const { signal } = new AbortController()
  return Buffer.from(
    await readNodeBody(message)({ maxBodyBytes: MAX_BODY_BYTES, signal }),
  ).toString()
}
