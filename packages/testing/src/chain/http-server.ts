import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request with its parameters, whichever way they came. */
export interface ApiRequest {
  method: string
  /** Below `/api/v2` or `/api/v3`. */
  path: string
  query: URLSearchParams
  /** The parsed body; an empty object when there is none. */
  body: Readonly<Record<string, unknown>>
}

/** What to answer. */
export interface ApiReply {
  status?: number
  body: unknown
}

/** What a server answers in place of what it knows: a status with any body, or nothing at all. */
export type Fault = { status: number; body: string } | 'hang' | 'reset'

/** One of the APIs of a server. */
export interface ServedApi {
  /** As `createV2Client` takes it for `baseUrl`. */
  url: string
  /** What arrived, oldest first; of many, the newest. */
  requests: readonly ApiRequest[]
  /** Asked about each request; tests set it, and end it with `undefined`. @default undefined */
  fault: ((request: ApiRequest) => Fault | undefined) | undefined
  /** Requests that are never answered. */
  readonly hanging: number
}

/** A server on a local port, without an API at first. */
export interface ApiServer {
  /** Without a path. */
  readonly url: string
  /** Answers all requests below a path with JSON. */
  mount(base: '/api/v2' | '/api/v3', answer: Answer): ServedApi
  close(): Promise<void>
}

type Answer = (request: ApiRequest) => Promise<ApiReply>

const REQUESTS_KEPT = 1_000

/** Starts a server on the loopback. @param port 0 for any free one */
export async function startApiServer(port = 0): Promise<ApiServer> {
  const apis = new Map<string, (request: ApiRequest, message: IncomingMessage) => Served>()
  const server = createServer((message, response) => {
    void readRequest(message)
      .then(({ base, request }) => {
        const serve = apis.get(base)
        if (serve === undefined) return NOT_FOUND
        const { reply, release } = serve(request, message)
        response.on('close', release)
        return reply
      })
      .catch((error: unknown) =>
        error instanceof SyntaxError ? UNREADABLE : { status: 500, body: { error: String(error) } },
      )
      .then(({ status = 200, body }: ApiReply) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // It listens on a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    mount(base, answer) {
      const { api, serve } = serveApi(url, answer)
      apis.set(base, serve)
      return api
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const UNREADABLE: ApiReply = {
  status: 422,
  body: { ok: false, error: 'failed to parse post request: the body is not JSON', code: 422 },
}
const NOT_FOUND: ApiReply = { status: 404, body: { error: 'Not Found' } }

/** An answer on its way, and what is to be done when nobody waits for it any more. */
interface Served {
  reply: Promise<ApiReply>
  release: () => void
}

function serveApi(url: string, answer: Answer) {
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
    if (fault === undefined) return { reply: answer(request), release: () => undefined }
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
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const base = /^\/api\/v[23](?=\/)/.exec(url.pathname)?.[0] ?? ''
  const request: ApiRequest = {
    method: message.method ?? '',
    path: url.pathname.slice(base.length),
    query: url.searchParams,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
  return { base, request }
}
