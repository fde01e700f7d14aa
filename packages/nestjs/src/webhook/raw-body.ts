import type { IncomingMessage } from 'node:http'
import type { BodyReader, Clock, WebhookRequest } from '@tonplug/core'
import { findNodeBody } from '@tonplug/core/bridge'

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

const FIX =
  'remove that parser, for example app.use(express.json()), or one of an Express app that was passed to Nest or that this ' +
  "app is mounted in: Nest's own parser keeps the bytes, and app.useBodyParser('json', options) sets its options. Or keep " +
  'the bytes in that parser: express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })'

/** Returns Node's request of a platform's request. */
export function toNodeRequest(request: PlatformRequest): NodeRequest {
  return 'raw' in request ? request.raw : request
}

/** Returns the body of a webhook: as its route has read it, or as a parser has kept it, or a reader of the stream. */
export function findBody(
  request: PlatformRequest,
  clock: Clock,
): Pick<WebhookRequest, 'elapsedMs' | 'rawBody'> {
  const { [READ]: read, body } = request
  if (read) return { rawBody: read.rawBody, elapsedMs: clock.nowMs() - read.arrivedMs }
  const node = toNodeRequest(request)
  const { rawBody = node.rawBody } = request
  return { rawBody: findNodeBody(node, { rawBody, body, headers: node.headers, fix: FIX }) }
}
