import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookEndpoint } from './webhook-endpoint.js'
import type { ReceivingInstance } from '../instances.js'
import type { WebhookRoutes } from './webhook-routes.js'

interface FastifyRequest {
  raw: IncomingMessage
  originalUrl: string
  /** Setting it overrides the headers of `raw`, which remain unchanged. */
  headers: Record<string, string | string[] | undefined>
}

interface FastifyReply {
  raw: ServerResponse
  code(status: number): FastifyReply
  headers(headers: Record<string, string>): FastifyReply
  send(body: string): unknown
}

type Done = (error?: unknown) => void

/** The part of a Fastify app that is needed to read bodies. */
export interface FastifyApp {
  addHook(
    name: 'preParsing',
    hook: (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void,
  ): unknown
  addHook(
    name: 'preValidation',
    hook: (request: FastifyRequest, reply: FastifyReply, done: Done) => void,
  ): unknown
}

/** Without these headers, Fastify treats the request as one without a body and runs no parser. */
const NO_BODY = {
  'content-type': undefined,
  'content-length': undefined,
  'transfer-encoding': undefined,
}

/** Reads deliveries in a hook before all parsers. */
export function keepRawBodyOnFastify(
  app: FastifyApp,
  routes: WebhookRoutes,
  endpoint: WebhookEndpoint,
): void {
  const headersOf = new WeakMap<FastifyRequest, FastifyRequest['headers']>()

  const open = async (
    instance: ReceivingInstance,
    { request, reply, done }: { request: FastifyRequest; reply: FastifyReply; done: Done },
  ): Promise<void> => {
    try {
      const answer = await endpoint.open(instance, request, reply.raw)
      if (answer !== undefined) {
        reply.code(answer.status).headers(answer.headers).send(answer.body)
        return
      }
    } catch (error) {
      done(error)
      return
    }
    headersOf.set(request, request.headers)
    request.headers = NO_BODY
    done()
  }

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const instance = routes.find(request.raw)
    if (instance === undefined) done()
    else void open(instance, { request, reply, done })
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const headers = headersOf.get(request)
    if (headers !== undefined) {
      request.headers = headers
      headersOf.delete(request)
    }
    done()
  })
}
