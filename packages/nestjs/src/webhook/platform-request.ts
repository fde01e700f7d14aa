import type { IncomingMessage } from 'node:http'

interface PlatformFields {
  originalUrl?: string | undefined
  body?: unknown
  rawBody?: unknown
}

/** A request of the HTTP platform. Express extends Node's request; Fastify stores it in `raw`. */
export type PlatformRequest = PlatformFields & (IncomingMessage | { raw: IncomingMessage })

/** Returns Node's request of a platform's request. */
export function toNodeRequest(request: PlatformRequest): IncomingMessage {
  return 'raw' in request ? request.raw : request
}

/** Returns true if the stream still has the whole body. */
export function isUnread(request: IncomingMessage): boolean {
  return !request.readableDidRead && !request.readableEnded
}
