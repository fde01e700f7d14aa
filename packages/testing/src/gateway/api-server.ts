import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
import { describeForeignRequest } from '../foreign-request.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'

const MAX_BODY_BYTES = 16_384

/** A request to one of the APIs of the mock gateway. */
export interface ApiRequest {
  method: string
  path: string
  query: URLSearchParams
  /** The `x-api-key`. */
  apiKey: string | undefined
  contentType: string | undefined
  /** @throws {MockGatewayError} beyond 16 KiB. */
  readBody(): Promise<string>
}

/** An HTTP server on the loopback interface. */
export interface ApiServer {
  /**
   * Starts it.
   * @param port 0 for a free one.
   * @returns the base URL, without a trailing slash.
   * @throws {MockGatewayError} when it has been started.
   */
  listen(port: number): Promise<string>
  /** Closes it and its connections. */
  close(): Promise<void>
}

/**
 * Creates a server.
 * @param handle returns the JSON of the response; a MockGatewayError becomes a response with its status.
 */
export function createApiServer(handle: (request: ApiRequest) => Promise<object>): ApiServer {
  let opening: Promise<Server> | undefined
  return {
    async listen(port) {
      if (opening !== undefined) throw badRequest('the HTTP API has been started')
      const server = openServer(handle, port)
      opening = server
      // The API may be started again on another port.
      server.catch(() => (opening = undefined))
      // A listening TCP server has an AddressInfo, not a pipe name.
      const { port: taken } = (await server).address() as AddressInfo
      return `http://127.0.0.1:${taken}`
    },
    async close() {
      const server = await opening?.catch(() => undefined)
      if (server === undefined) return
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

async function openServer(
  handle: (request: ApiRequest) => Promise<object>,
  port: number,
): Promise<Server> {
  // A connection that is closed while a client sends a request on it fails the request.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // A sender that disconnects receives no response.
    respond(handle, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}

async function respond(
  handle: (request: ApiRequest) => Promise<object>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const problem = describeForeignRequest(request)
    if (problem !== undefined) throw new MockGatewayError({ status: 403, message: problem })
    write(response, 200, await handle(toApiRequest(request)))
  } catch (error) {
    if (!(error instanceof MockGatewayError)) throw error
    // Unread bytes of the body would precede the next request.
    if (!request.complete) response.setHeader('connection', 'close')
    write(response, error.status, { error: error.message })
  }
}

function toApiRequest(request: IncomingMessage): ApiRequest {
  const { method = '', url = '', headers } = request
  const base = 'http://127.0.0.1'
  if (!URL.canParse(url, base)) throw badRequest('the path is invalid')
  const { pathname, searchParams } = new URL(url, base)
  const { 'x-api-key': key, 'content-type': contentType } = headers
  return {
    method,
    path: pathname,
    query: searchParams,
    apiKey: typeof key === 'string' ? key : undefined,
    contentType,
    readBody: () => readBody(request),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  // The server closes its connections when it closes, which also ends a read.
  const { signal } = new AbortController()
  try {
    const body = await readNodeBody(request)({ maxBodyBytes: MAX_BODY_BYTES, signal })
    return Buffer.from(body).toString()
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error
    const message = `the body is larger than ${MAX_BODY_BYTES} bytes`
    throw new MockGatewayError({ status: 413, message })
  }
}

function write(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
