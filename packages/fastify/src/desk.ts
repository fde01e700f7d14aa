import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A desk, and the path it is mounted at. */
export interface DeskMount {
  /** For example `/tonplug`. The desk responds to everything below it. */
  path: string
  /** The result of `tonplugDesk()` of `@tonplug/desk`. */
  handler: (request: IncomingMessage, response: ServerResponse) => void
}

/** Adds the routes of a desk to a context that leaves bodies unread. */
export function addDesk(scope: FastifyInstance, { path, handler }: DeskMount): void {
  const respond = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    handler(request.raw, reply.raw)
  }
  scope.all(path, respond)
  scope.all(`${path}/*`, respond)
}
