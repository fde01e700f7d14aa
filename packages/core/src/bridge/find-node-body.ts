import { RawBodyUnavailableError } from '../payments/webhook/errors.js'
import { bytesOf } from '../payments/webhook/raw-bytes.js'
import { ownReader, readNodeBody, type NodeReadable } from '../payments/webhook/read-body.js'
import type { BodyReader } from '../payments/webhook/request.js'

/** A request of Node that something may have read before. */
export interface NodeBody extends NodeReadable {
  readonly readableDidRead: boolean
  readonly readableEnded: boolean
}

/** Where the bytes of a request may be. */
export interface NodeBodySources {
  /** The exact bytes, or their string, if a parser or a middleware kept them. */
  rawBody?: unknown
  /** The output of a parser: bytes or a string, for example of `express.raw`; anything else has lost the bytes. */
  body?: unknown
  /** The headers that were sent with the bytes. */
  headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** The fix for an app whose parser did not keep the bytes: a clause in lower case. */
  fix: string
}

/**
 * Returns the exact bytes of a request that were kept, or a reader: of the unread stream, otherwise of the output of a parser.
 * The reader throws a {@link RawBodyUnavailableError} if a parser read the bytes and did not keep them.
 */
export function findNodeBody(stream: NodeBody, sources: NodeBodySources): Uint8Array | BodyReader {
  const kept = faithfulBytes(sources.rawBody, sources)
  if (kept !== undefined) return kept
  return ownReader(async (limits) => {
    if (!stream.readableDidRead) {
      // The stream ended without a byte: the body was empty, whatever the parser returned.
      return stream.readableEnded ? new Uint8Array() : readNodeBody(stream)(limits)
    }
    const bytes = faithfulBytes(sources.body, sources)
    if (bytes !== undefined) return bytes
    throw new RawBodyUnavailableError({ found: describeBody(sources.body), fix: sources.fix })
  })
}

/** Returns bytes, or those that a string was decoded from; `undefined` if decoding may have changed them. */
function faithfulBytes(value: unknown, { headers }: NodeBodySources): Uint8Array | undefined {
  if (typeof value !== 'string') return bytesOf(value)
  const { 'content-type': type } = headers
  const named = typeof type === 'string' ? /charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] : undefined
  // A decoder writes U+FFFD for bytes that are not UTF-8.
  if (!/^utf-?8$/i.test(named ?? 'utf-8') || value.includes('\uFFFD')) return undefined
  const bytes = new TextEncoder().encode(value)
  const sentLength = headers['content-length']
  // The only sign of a decoder that removes the byte order mark.
  return sentLength === undefined || Number(sentLength) === bytes.byteLength ? bytes : undefined
}

function describeBody(body: unknown): string {
  if (typeof body === 'string') return 'the body is a string that may differ from the bytes sent'
  if (body === undefined) return 'the stream was read and its bytes were not kept'
  return 'the body was parsed by a parser that does not keep them'
}
