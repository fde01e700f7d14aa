import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { types } from 'node:util'
import { RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { BodyReader, Clock, WebhookRequest } from '@tonplug/core'

/** A request of the HTTP platform. Express extends Node's request; Fastify stores it in `raw`. */
export type PlatformRequest = PlatformFields & (NodeRequest | { raw: NodeRequest })

interface PlatformFields extends WithReadBody {
  originalUrl?: string | undefined
  body?: unknown
  rawBody?: unknown
}

type NodeRequest = IncomingMessage & { rawBody?: unknown }

export const READ = Symbol('tonplug:read-body')

/** A request whose body may have been read for its route. */
export interface WithReadBody {
  [READ]?: {
    /** A reader throws the error that ended the reading. */
    rawBody: Buffer | BodyReader
    arrivedMs: number
  }
}

const FOUND = 'the body was parsed by a parser of the app that does not keep them'
const FIX =
  'remove that parser, for example app.use(express.json()), or one of an Express app that was passed to Nest or that this ' +
  "app is mounted in: Nest's own parser keeps the bytes, and app.useBodyParser('json', options) sets its options. Or keep " +
  'the bytes in that parser: express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })'

/** Returns Node's request of a platform's request. */
export function toNodeRequest(request: PlatformRequest): NodeRequest {
  return 'raw' in request ? request.raw : request
}

/**
 * Returns the body of a webhook: as its route or a parser has kept it, or a reader of the stream that nothing has read.
 * The reader throws a `RawBodyUnavailableError` if a parser read the body and did not keep its bytes.
 */
export function findBody(
  request: PlatformRequest,
  clock: Clock,
): Pick<WebhookRequest, 'elapsedMs' | 'rawBody'> {
  const { [READ]: read } = request
  if (read) return { rawBody: read.rawBody, elapsedMs: clock.nowMs() - read.arrivedMs }
  const node = toNodeRequest(request)
  const [bytes] = [request.rawBody, node.rawBody, request.body].flatMap(
    (value) => toBytes(value, node) ?? [],
  )
  return { rawBody: bytes ?? (isUnread(node) ? readNodeBody(node) : rejectParsed) }
}

/**
 * Returns bytes, or those that a string was decoded from; `undefined` if decoding may have changed them. A decoder writes U+FFFD
 * for bytes that are not UTF-8, and may remove the byte order mark.
 */
function toBytes(value: unknown, { headers }: IncomingMessage): Uint8Array | undefined {
  if (types.isUint8Array(value)) return value
  if (typeof value !== 'string' || value.includes('\uFFFD')) return undefined
  const bytes = Buffer.from(value)
  const sentLength = headers['content-length']
  return sentLength === undefined || Number(sentLength) === bytes.byteLength ? bytes : undefined
}

/** Returns true if the stream still has the whole body. */
export function isUnread(stream: Readable): boolean {
  return !stream.readableDidRead && !stream.readableEnded
}

const rejectParsed: BodyReader = () =>
  Promise.reject(new RawBodyUnavailableError({ found: FOUND, fix: FIX }))
