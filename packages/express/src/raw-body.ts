import type { IncomingMessage } from 'node:http'
import { types } from 'node:util'
import { BodyTooLargeError, RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { BodyReader } from '@tonplug/core'

/** What is read of a request. The requests of Express 4 and 5 fit. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl?: string | undefined
  /** Set by the router when a route, rather than a mounted middleware, has matched. */
  route?: { stack?: readonly { handle?: unknown }[] | undefined } | undefined
  body?: unknown
  /** The exact bytes, or their text, when somebody kept them. */
  rawBody?: unknown
}

const FIX =
  'Mount tonplugWebhook() ahead of express.json() and every other body parser; where a parser must come first, ' +
  'put captureRawBody() ahead of it, or keep the bytes with express.json({ verify: saveRawBody })'

/**
 * Finds the exact bytes of a request, wherever they are: kept in `rawBody`, still in the stream, or in `body` as
 * `express.raw` or `express.text` left them.
 * @throws {RawBodyUnavailableError} by the reader, when a parser has turned them into something else.
 */
export function findRawBody(request: ExpressRequest): BodyReader {
  return async (limits) => {
    const bytes = keptBytes(request)
    if (bytes === undefined) return readNodeBody(request)(limits)
    if (bytes.byteLength > limits.maxBodyBytes) throw new BodyTooLargeError(limits)
    return bytes
  }
}

/** Whether the stream still has the whole body. */
export function isUnread(request: IncomingMessage): boolean {
  return !request.readableDidRead && !request.readableEnded
}

/** `undefined` when nobody has read the stream. */
function keptBytes(request: ExpressRequest): Uint8Array | undefined {
  const kept = toBytes(request.rawBody, request)
  if (kept !== undefined || isUnread(request)) return kept
  // The stream ended without a single byte: the body was empty, whatever a parser made of it.
  if (!request.readableDidRead) return new Uint8Array()
  const body = toBytes(request.body, request)
  if (body === undefined) {
    throw new RawBodyUnavailableError({ found: describeBody(request.body), fix: FIX })
  }
  return body
}

function toBytes(value: unknown, request: IncomingMessage): Uint8Array | undefined {
  if (types.isUint8Array(value)) return value
  return typeof value === 'string' ? encodeFaithfully(value, request) : undefined
}

/** The bytes that a text was decoded from; `undefined` when decoding may have changed them. */
function encodeFaithfully(text: string, { headers }: IncomingMessage): Uint8Array | undefined {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  // U+FFFD stands where a decoder met bytes that are not UTF-8.
  if (!/^utf-?8$/i.test(charset) || text.includes('\uFFFD')) return undefined
  const bytes = Buffer.from(text)
  const sentLength = headers['content-length']
  // A decoder that drops the byte order mark leaves no other trace.
  return sentLength === undefined || Number(sentLength) === bytes.byteLength ? bytes : undefined
}

function describeBody(body: unknown): string {
  if (typeof body === 'string') return 'req.body is text that may differ from the bytes sent'
  if (body === undefined) return 'the stream was read and nothing kept what it held'
  return 'req.body is what a body parser made of them'
}
