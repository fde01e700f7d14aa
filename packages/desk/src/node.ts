import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
import { createHandler, type DeskHandler } from './desk.js'
import type { DeskNodeRequest, DeskOptions } from './options.js'
import { MAX_BYTES } from './read-json.js'

/** Time for a client to send a body. */
const BODY_TIMEOUT_MS = 10_000

/**
 * Returns a middleware for Express 4 and 5, and for any server with requests of Node: a dashboard of payments below the path
 * where it is mounted.
 * @throws {ConfigurationError} when an option is missing or invalid: above all without `authorize`.
 * @example
 * ```ts
 * import express from 'express'
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugDesk } from '@tonplug/desk'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const token = process.env.DESK_TOKEN ?? ''
 * const app = express()
 * app.use(
 *   '/tonplug',
 *   tonplugDesk({
 *     payments,
 *     authorize: ({ headers }) =>
 *       token !== '' && headers.get('authorization') === `Bearer ${token}` && { operator: 'support' },
 *   }),
 * )
 * ```
 */
export function tonplugDesk(
  options: DeskOptions,
): (request: DeskNodeRequest, response: ServerResponse) => void {
  const desk = createHandler(options)
  return (request, response) => void handle(desk, request, response)
}

/** Responds to a request of Node. Never rejects. */
async function handle(
  desk: DeskHandler,
  request: DeskNodeRequest,
  response: ServerResponse,
): Promise<void> {
  try {
    const fetched = toFetchRequest(request)
    if (fetched === undefined) writeEmpty(response, 400)
    else await write(response, await desk(fetched, request), request)
  } catch {
    // The client has gone.
    response.destroy()
  }
}

/** @returns `undefined` for a request that Fetch cannot represent, for example one with the method TRACE. */
function toFetchRequest(request: DeskNodeRequest): Request | undefined {
  const { method = 'GET', originalUrl = request.url ?? '/' } = request
  const url = urlOf(originalUrl, request)
  if (url === undefined || ['CONNECT', 'TRACE', 'TRACK'].includes(method)) return undefined
  const headers = headersOf(request)
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  return new Request(url, { method, headers, body: streamOf(request), duplex: 'half' })
}

/** Reads nothing before the desk does: it authorizes the request first. */
function streamOf(request: DeskNodeRequest): ReadableStream<Uint8Array> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      controller.enqueue(await bodyOf(request))
      controller.close()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Without characters that would make the rest of a host another part of a URL. */
const HOST = /^[^\s/?#@\\]+$/

function urlOf(path: string, { headers, socket }: IncomingMessage): string | undefined {
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
  const host = headers.host ?? String(headers[':authority'] ?? 'localhost')
  const url = `${scheme}://${host}${path}`
  return HOST.test(host) && path.startsWith('/') && URL.canParse(url) ? url : undefined
}

/** HTTP/2 has pseudo-headers, which begin with a colon. */
function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':')) continue
    for (const one of [value].flat()) all.append(name, one)
  }
  return all
}

/** Reads the body, or encodes again what a parser has made of it. */
async function bodyOf(request: DeskNodeRequest): Promise<Uint8Array> {
  const { body } = request
  if (request.readableDidRead || request.readableEnded) {
    if (body instanceof Uint8Array) return body
    return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''))
  }
  const signal = AbortSignal.timeout(BODY_TIMEOUT_MS)
  try {
    return await readNodeBody(request)({ maxBodyBytes: MAX_BYTES, signal })
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error
    // The desk rejects a body of this length.
    return new Uint8Array(MAX_BYTES + 1)
  }
}

async function write(
  response: ServerResponse,
  answer: Response,
  request: DeskNodeRequest,
): Promise<void> {
  const stream = answer.headers.has('content-disposition') ? answer.body : null
  const body = stream === null ? Buffer.from(await answer.arrayBuffer()) : undefined
  if (response.headersSent || response.destroyed) return
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value)
  }
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.appendHeader('set-cookie', cookies)
  // The rest of a body that was not read ends with the connection.
  if (hasBody(request) && !request.complete) response.setHeader('connection', 'close')
  response.statusCode = answer.status
  if (stream === null) response.end(body)
  else await send(stream, response)
}

/** Sends a file as fast as it is read; one that fails is cut off, so that no browser takes it for complete. */
async function send(
  stream: NonNullable<Response['body']>,
  response: ServerResponse,
): Promise<void> {
  // The types of Node and of Fetch differ in their buffers alone.
  await pipeline(Readable.fromWeb(stream as NodeStream), response).catch(() => response.destroy())
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function writeEmpty(response: ServerResponse, status: number): void {
  response.statusCode = status
  response.setHeader('connection', 'close')
  response.end()
}
