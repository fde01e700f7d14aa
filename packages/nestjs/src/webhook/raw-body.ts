import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { types } from 'node:util'
import { BodyTooLargeError, RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { BodyReader, Clock, WebhookRequest } from '@tonplug/core'
import type { BodyLimits } from '../instances.js'

/** A request of the HTTP platform. Express extends Node's request; Fastify stores it in `raw`. */
export type PlatformRequest = PlatformFields & (IncomingMessage | { raw: IncomingMessage })

interface PlatformFields {
  originalUrl?: string | undefined
  body?: unknown
  rawBody?: unknown
  /** Makes the parsers of Express 4 skip the body; those of Express 5 check the stream. */
  _body?: boolean
}

const KEPT = Symbol('tonplug:kept-body')

/** A body that was read ahead of the parsers. */
interface KeptBody {
  arrivedMs: number
  /** The bytes, or a reader that throws the error that ended the reading. */
  rawBody: Buffer | BodyReader
  /** True once a webhook route has passed the body to its receiver. */
  isReceived: boolean
  /** All headers, while {@link hideBody} hides some. */
  headers?: IncomingHttpHeaders
}

type NodeRequest = IncomingMessage & { [KEPT]?: KeptBody }

const FIX =
  'Another parser has read them before tonplug: one of an Express app that was passed to Nest or that this app is ' +
  'mounted in. Keep the bytes there: express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })'

/** Returns Node's request of a platform's request. */
export function toNodeRequest(request: PlatformRequest): NodeRequest {
  return 'raw' in request ? request.raw : request
}

/**
 * Reads the body of a request before every parser, and sets `rawBody` and `body`, as Nest does with `rawBody: true`. Parsers
 * skip the request. If its body is too long or incomplete, the receiver rejects it when it reaches its route.
 */
export async function keepBody(request: PlatformRequest, limits: BodyLimits): Promise<void> {
  const node = toNodeRequest(request)
  const arrivedMs = limits.clock.nowMs()
  try {
    if (Number(node.headers['content-length']) > limits.maxBodyBytes) {
      throw new BodyTooLargeError(limits)
    }
    const bytes = await readNodeBody(node)(limits)
    const rawBody = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    node[KEPT] = { arrivedMs, rawBody, isReceived: false }
    request.rawBody = rawBody
    request.body = parseJson(rawBody)
    if (node === request) request._body = true
    else hideBody(node, node[KEPT])
  } catch (error) {
    node[KEPT] = { arrivedMs, rawBody: () => Promise.reject(error), isReceived: false }
    hideBody(node, node[KEPT])
  }
}

/** Removes the headers of the body, so that parsers treat the request as one without a body. */
function hideBody(node: NodeRequest, kept: KeptBody): void {
  const {
    'content-type': _t,
    'content-length': _l,
    'transfer-encoding': _e,
    ...others
  } = node.headers
  kept.headers = node.headers
  node.headers = others
}

/** Restores the headers that {@link keepBody} hid from parsers. */
export function showBody(node: NodeRequest): void {
  const { [KEPT]: kept } = node
  if (kept?.headers !== undefined) node.headers = kept.headers
}

/**
 * Returns the fields of a `WebhookRequest` that {@link keepBody} has kept; without them the bytes that a parser kept, or the
 * unread stream. Reading throws a `RawBodyUnavailableError` if a parser read the bytes and did not keep them.
 */
export function takeBody(
  request: PlatformRequest,
  clock: Clock,
): Pick<WebhookRequest, 'elapsedMs' | 'rawBody'> {
  const node = toNodeRequest(request)
  const { [KEPT]: kept } = node
  showBody(node)
  if (kept) {
    kept.isReceived = true
    return { rawBody: kept.rawBody, elapsedMs: clock.nowMs() - kept.arrivedMs }
  }
  const bytes = [request.rawBody, request.body].find((value) => types.isUint8Array(value))
  return { rawBody: bytes ?? (isUnread(node) ? readNodeBody(node) : rejectParsed) }
}

const rejectParsed: BodyReader = () =>
  Promise.reject(new RawBodyUnavailableError({ found: 'the body was parsed', fix: FIX }))

/** Returns true for a request that has reached a webhook route. */
export function isReceived(request: PlatformRequest): boolean {
  return toNodeRequest(request)[KEPT]?.isReceived === true
}

/** Returns true if the stream still has the whole body. */
export function isUnread(request: IncomingMessage): boolean {
  return !request.readableDidRead && !request.readableEnded
}

/** Returns the bytes if they are not JSON: their signature may be valid. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return bytes
  }
}
