import type { IncomingMessage } from 'node:http'

interface PlatformFields {
  originalUrl?: string | undefined
  body?: unknown
  rawBody?: unknown
}

/** What is read of a request as Nest hands it out: Express extends Node's own, Fastify keeps that in `raw`. */
export type PlatformRequest = PlatformFields & (IncomingMessage | { raw: IncomingMessage })

/** Node's request behind the platform's. */
export function toNodeRequest(request: PlatformRequest): IncomingMessage {
  return 'raw' in request ? request.raw : request
}

/** Whether the stream still has the whole body. */
export function isUnread(request: IncomingMessage): boolean {
  return !request.readableDidRead && !request.readableEnded
}
