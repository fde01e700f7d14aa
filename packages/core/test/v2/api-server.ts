import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** A request as it arrived. */
export interface Arrived {
  method: string
  /** Below `/api/v2` or `/api/v3`. */
  path: string
  query: URLSearchParams
  headers: NodeJS.Dict<string | string[]>
  /** The raw body, and the same parsed. */
  text: string
  body: unknown
}

/** What to answer: 200 and JSON, unless said otherwise. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  text: string
}

/** A local server of API v2 or v3 that answers what the test tells. */
export interface ApiServer {
  baseUrl: string
  arrived: Arrived[]
}

/** Listens until the test ends. */
export async function startApiServer(
  reply: (request: Arrived) => Reply | string,
): Promise<ApiServer> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://localhost')
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      const path = url.pathname.replace(/^\/api\/v[23]/, '')
      const { method = '', headers } = request
      const one = { method, path, query: url.searchParams, headers, text, body }
      arrived.push(one)
      const answer = reply(one)
      const {
        status = 200,
        headers: more,
        text: sent,
      } = typeof answer === 'string' ? { text: answer } : answer
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(sent)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  return { baseUrl: `http://127.0.0.1:${address.port}`, arrived }
}
