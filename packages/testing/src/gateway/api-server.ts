import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
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

/** A listening server. */
export interface ApiServer {
  /** Without a trailing slash. */
  baseUrl: string
  close(): Promise<void>
}

/**
 * Starts a server on the loopback interface.
 * @param handle returns the JSON of the response; a MockGatewayError becomes a response with its status.
 * @param port 0 for a free one.
 */
export async function startApiServer(
  handle: (request: ApiRequest) => Promise<object>,
  port: number,
): Promise<ApiServer> {
  const server = createServer((request, response) => {
    // A sender that disconnects receives no response.
    respond(handle, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // A listening TCP server has an AddressInfo, not a pipe name.
  const { port: taken } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  handle: (request: ApiRequest) => Promise<object>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
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
