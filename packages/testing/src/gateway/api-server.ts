import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
import { badRequest, GatewayStandInError } from './stand-in-error.js'

const MAX_BODY_BYTES = 16_384
const CREATE = '/api/merchant/v1/create-transfer'
const STATUS = '/api/merchant/v1/transfer'
const METHODS = new Map([
  [CREATE, 'POST'],
  [STATUS, 'GET'],
])

/** What the HTTP API asks the stand-in for. Whatever is thrown as GatewayStandInError becomes its answer. */
export interface GatewayApi {
  /** @param apiKey the `x-api-key` of the request. */
  create(body: string, apiKey: string | undefined): object
  statusByReference(reference: string): object
  statusByBodyHash(bodyHash: string): object
  checkKey(apiKey: string | undefined): void
}

/** A server that listens. */
export interface ApiServer {
  /** Without a slash at its end. */
  baseUrl: string
  close(): Promise<void>
}

/** Opens the API on the loopback. @param port 0 for a free one. */
export async function startApiServer(api: GatewayApi, port: number): Promise<ApiServer> {
  const server = createServer((request, response) => {
    // A sender who goes away gets no answer.
    respond(api, request, response).catch(() => response.destroy())
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
  api: GatewayApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    write(response, 200, await answer(api, request))
  } catch (error) {
    if (!(error instanceof GatewayStandInError)) throw error
    // What was not read of the body is in the way of another request.
    if (!request.complete) response.setHeader('connection', 'close')
    write(response, error.status, { error: error.message })
  }
}

async function answer(api: GatewayApi, request: IncomingMessage): Promise<object> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  checkRoute(pathname, request.method)
  const { 'x-api-key': key } = request.headers
  const apiKey = typeof key === 'string' ? key : undefined
  if (pathname === CREATE) return api.create(await readBody(request), apiKey)

  api.checkKey(apiKey)
  const reference = searchParams.get('reference')
  const bodyHash = searchParams.get('bodyHash')
  if (reference !== null && bodyHash === null) return api.statusByReference(reference)
  if (bodyHash !== null && reference === null) return api.statusByBodyHash(bodyHash)
  throw badRequest('give either reference or bodyHash')
}

function checkRoute(path: string, method: string | undefined): void {
  const expected = METHODS.get(path)
  if (expected === method) return
  if (expected !== undefined) {
    throw new GatewayStandInError({ status: 405, message: `${path} takes ${expected}` })
  }
  const isOnRamp = path.includes('moonpay')
  const known = [...METHODS].map(([one, verb]) => `${verb} ${one}`).join(', ')
  throw new GatewayStandInError({
    status: isOnRamp ? 501 : 404,
    message: `the stand-in has no ${path}${isOnRamp ? ', as it sells no coins' : ''}; it has ${known}`,
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  // The server closes its connections when it closes, which ends a read as well.
  const { signal } = new AbortController()
  try {
    const body = await readNodeBody(request)({ maxBodyBytes: MAX_BODY_BYTES, signal })
    return Buffer.from(body).toString()
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error
    const message = `the body is larger than ${MAX_BODY_BYTES} bytes`
    throw new GatewayStandInError({ status: 413, message })
  }
}

function write(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
