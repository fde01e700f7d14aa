import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookEndpoint } from './webhook-endpoint.js'
import type { WebhookInstance } from './webhook-instances.js'
import type { WebhookRoutes } from './webhook-routes.js'

interface ExpressRequest extends IncomingMessage {
  originalUrl?: string | undefined
  /** By this the parsers of Express 4 know that the body has been read; those of Express 5 look at the stream. */
  _body?: boolean
}

type Next = (error?: unknown) => void

/** As much of an Express app as putting a layer first takes. */
export interface ExpressApp {
  use(layer: (request: ExpressRequest, response: ServerResponse, next: Next) => void): unknown
  /** Express 4. */
  _router?: { stack?: unknown[] }
  /** Express 5; Express 4 throws when it is read. */
  router?: { stack?: unknown[] }
}

/** Reads deliveries in a layer ahead of all others, those of an app that was given to Nest with its parsers included. */
export function captureOnExpress(
  app: ExpressApp,
  routes: WebhookRoutes,
  endpoint: WebhookEndpoint,
): void {
  const open = async (
    instance: WebhookInstance,
    { request, response, next }: { request: ExpressRequest; response: ServerResponse; next: Next },
  ): Promise<void> => {
    try {
      const answer = await endpoint.open(instance, request, response)
      if (answer !== undefined) {
        response.writeHead(answer.status, answer.headers).end(answer.body)
        return
      }
    } catch (error) {
      next(error)
      return
    }
    request._body = true
    next()
  }

  app.use((request, response, next) => {
    const instance = routes.find(request)
    if (instance === undefined) next()
    else void open(instance, { request, response, next })
  })
  const { stack = [] } = app._router ?? app.router ?? {}
  stack.unshift(...stack.splice(-1))
}
