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

/** A server on a local port. */
export interface RunningServer {
  /** As `createV2Client` takes it for `baseUrl`. */
  url: string
  /** What arrived, oldest first. */
  requests: readonly ApiRequest[]
  /** Asked about each request; tests set it. @default none */
  fault: (request: ApiRequest) => Fault | undefined
  /** Requests that are never answered. */
  readonly hanging: number
  close(): Promise<void>
}

/** Answers requests with JSON. */
export async function startHttpServer(
  answer: (request: ApiRequest) => Promise<ApiReply>,
): Promise<RunningServer> {
  const requests: ApiRequest[] = []
  let hanging = 0
  const server = createServer((request, response) => {
    void readRequest(request)
      .then((read) => {
        requests.push(read)
        const fault = running.fault(read)
        if (fault === undefined) return answer(read)
        if (fault === 'reset') request.socket.destroy()
        if (typeof fault === 'object') return fault
        hanging++
        response.on('close', () => hanging--)
        return new Promise<never>(() => undefined)
      })
      .catch((error: unknown) => ({ status: 500, body: { error: String(error) } }))
      .then(({ status = 200, body }: ApiReply) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const running: RunningServer = {
    // It listens on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: () => undefined,
    get hanging() {
      return hanging
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return running
}

async function readRequest(request: IncomingMessage): Promise<ApiRequest> {
  const url = new URL(request.url ?? '', 'http://localhost')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return {
    method: request.method ?? '',
    path: url.pathname.replace(/^\/api\/v[23]/, ''),
    query: url.searchParams,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
}
