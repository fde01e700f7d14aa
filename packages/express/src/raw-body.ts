import type { IncomingMessage } from 'node:http'
import { types } from 'node:util'
import { BodyTooLargeError, RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { BodyReader } from '@tonplug/core'

/** A request of Express 4 or 5, reduced to the fields that tonplug reads. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl?: string | undefined
  /** Set by the router when a route, rather than a mounted middleware, has matched. */
  route?: { path?: unknown; stack?: readonly { handle?: unknown }[] | undefined } | undefined
  body?: unknown
  /** The exact bytes, or their string, if a parser or a middleware kept them. */
  rawBody?: unknown
}

const FIX =
  'mount tonplugWebhook() before express.json() and other parsers, or keep the bytes with keepRawBody(), mounted before them ' +
  'on the path of the webhook, or with keepRawBodyInParser'

/**
 * Returns a reader of the exact bytes of a request. It takes them from `rawBody`, from the unread stream, or from `body` as
 * set by `express.raw` or `express.text`. It throws a `RawBodyUnavailableError` if a parser read the bytes and did not keep
 * them.
 */
export function findRawBody(request: ExpressRequest): BodyReader {
  return async (limits) => {
    const bytes = keptBytes(request)
    if (bytes === undefined) return readNodeBody(request)(limits)
    if (bytes.byteLength > limits.maxBodyBytes) throw new BodyTooLargeError(limits)
    return bytes
  }
}

/** Returns true if the stream still has the whole body. */
export function isUnread(request: IncomingMessage): boolean {
  return !request.readableDidRead && !request.readableEnded
}

/** Returns `undefined` if the stream has not been read. */
function keptBytes(request: ExpressRequest): Uint8Array | undefined {
  const kept = toBytes(request.rawBody, request)
  if (kept !== undefined || isUnread(request)) return kept
  // The stream ended without a byte: the body was empty, whatever `req.body` is.
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

/** Returns the bytes that a string was decoded from; `undefined` if decoding may have changed them. */
function encodeFaithfully(text: string, { headers }: IncomingMessage): Uint8Array | undefined {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  // A decoder writes U+FFFD for bytes that are not UTF-8.
  if (!/^utf-?8$/i.test(charset) || text.includes('\uFFFD')) return undefined
  const bytes = Buffer.from(text)
  const sentLength = headers['content-length']
  // The only sign of a decoder that removes the byte order mark.
  return sentLength === undefined || Number(sentLength) === bytes.byteLength ? bytes : undefined
}

function describeBody(body: unknown): string {
  if (typeof body === 'string') return 'req.body is a string that may differ from the bytes sent'
  if (body === undefined) return 'the stream was read and its bytes were not kept'
  return 'req.body is the output of a body parser'
}
