import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { types } from 'node:util'
import { BodyTooLargeError, RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { BodyReader, Clock, WebhookRequest } from '@tonplug/core'

/** A request of the HTTP platform. Express extends Node's request; Fastify stores it in `raw`. */
export type PlatformRequest = PlatformFields & (IncomingMessage | { raw: IncomingMessage })

interface PlatformFields {
  originalUrl?: string | undefined
  body?: unknown
  rawBody?: unknown
}

/** Limits of a body that is read before its route is known. */
export interface BodyLimits {
  maxBodyBytes: number
  deadlineMs: number
  clock: Clock
}

/** A body that was read ahead of the parsers. */
interface KeptBody {
  headers: IncomingHttpHeaders
  arrivedMs: number
  /** The bytes, or a reader that throws the error that ended the reading. */
  rawBody: Uint8Array | BodyReader
}

const KEPT = Symbol('tonplug:kept-body')
const BYTES = Symbol('tonplug:bytes')

type NodeRequest = IncomingMessage & { [KEPT]?: KeptBody }

const FIX =
  'Another parser has read them before tonplug: one of an Express app that was passed to Nest or that this app is ' +
  'mounted in. Keep the bytes there: express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })'

/** Returns Node's request of a platform's request. */
export function toNodeRequest(request: PlatformRequest): NodeRequest {
  return 'raw' in request ? request.raw : request
}

/**
 * Reads the body of a request before every parser, and sets `rawBody` and `body`, as Nest does with `rawBody: true`.
 * @returns false if the body is too long or incomplete; the receiver rejects it when the request reaches its route.
 */
export async function keepBody(request: PlatformRequest, limits: BodyLimits): Promise<boolean> {
  const node = toNodeRequest(request)
  const { headers } = node
  const { clock, maxBodyBytes } = limits
  const arrivedMs = clock.nowMs()
  const timeout = new AbortController()
  const cancelTimer = clock.setTimer(() => timeout.abort(), limits.deadlineMs)
  try {
    if (Number(headers['content-length']) > maxBodyBytes) throw new BodyTooLargeError(limits)
    const bytes = await readNodeBody(node)({ maxBodyBytes, signal: timeout.signal })
    node[KEPT] = { headers, arrivedMs, rawBody: bytes }
    setBody(request, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return true
  } catch (error) {
    node[KEPT] = { headers, arrivedMs, rawBody: () => Promise.reject(error) }
    return false
  } finally {
    cancelTimer()
  }
}

/** Removes the headers of the body, so that parsers treat the request as one without a body. */
export function hideBody(request: PlatformRequest): void {
  const node = toNodeRequest(request)
  const hidden = { 'content-type': undefined, 'content-length': undefined }
  node.headers = { ...node.headers, ...hidden, 'transfer-encoding': undefined }
}

/** Restores the headers that {@link hideBody} removed. */
export function showBody(request: PlatformRequest): void {
  const node = toNodeRequest(request)
  const kept = node[KEPT]
  if (kept !== undefined) node.headers = kept.headers
}

/**
 * Returns the fields of a `WebhookRequest` that {@link keepBody} has kept; without them the bytes that a parser kept, or the
 * unread stream. Reading throws a `RawBodyUnavailableError` if a parser read the bytes and did not keep them.
 */
export function findBody(
  request: PlatformRequest,
  clock: Clock,
): Required<Pick<WebhookRequest, 'headers' | 'elapsedMs' | 'rawBody'>> {
  const node = toNodeRequest(request)
  const { [KEPT]: kept, headers } = node
  if (kept !== undefined) {
    const { arrivedMs, ...found } = kept
    return { ...found, elapsedMs: clock.nowMs() - arrivedMs }
  }
  const read: BodyReader = async (limits) => {
    if (!isUnread(node))
      throw new RawBodyUnavailableError({ found: 'the body was parsed', fix: FIX })
    const bytes = await readNodeBody(node)(limits)
    request.rawBody = bytes
    return bytes
  }
  return { headers, elapsedMs: 0, rawBody: findBytes(request) ?? read }
}

/** Returns the exact bytes that were kept on a request. */
export function findBytes({ rawBody, body }: PlatformFields): Uint8Array | undefined {
  return [rawBody, body].find((value) => types.isUint8Array(value))
}

/** Returns true if the stream still has the whole body. */
export function isUnread(request: IncomingMessage): boolean {
  return !request.readableDidRead && !request.readableEnded
}

interface RequestWithBytes {
  rawBody?: unknown
  [BYTES]: { readonly bytes: Buffer; parsed?: { value: unknown } }
}

// One descriptor for all requests: own accessors for each request would make every later property access slow.
const body: PropertyDescriptor & ThisType<RequestWithBytes> = {
  configurable: true,
  enumerable: true,
  get() {
    const stored = this[BYTES]
    stored.parsed ??= { value: parseJson(stored.bytes) }
    return stored.parsed.value
  },
  set(value: unknown) {
    this[BYTES].parsed = { value }
  },
}

/** The JSON is parsed on first access, because the webhook itself does not need it. */
function setBody(request: object, rawBody: Buffer): void {
  // The descriptor below needs the field, which the types of the platforms do not have.
  const target = request as RequestWithBytes
  target.rawBody = rawBody
  target[BYTES] = { bytes: rawBody }
  Object.defineProperty(request, 'body', body)
}

/** Returns the bytes if they are not JSON: their signature may be valid. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return bytes
  }
}
