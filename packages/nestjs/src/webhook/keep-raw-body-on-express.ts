import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookEndpoint } from './webhook-endpoint.js'
import type { ReceivingInstance } from '../instances.js'
import type { WebhookRoutes } from './webhook-routes.js'

interface ExpressRequest extends IncomingMessage {
  originalUrl?: string | undefined
  /** Makes the parsers of Express 4 skip the body; those of Express 5 check the stream. */
  _body?: boolean
}

type Next = (error?: unknown) => void

interface Layer {
  name?: string
}

/** The part of an Express app that is needed to insert a layer. */
export interface ExpressApp {
  use(layer: (request: ExpressRequest, response: ServerResponse, next: Next) => void): unknown
  /** Express 4. */
  _router?: { stack?: Layer[] }
  /** Express 5; Express 4 throws when it is read. */
  router?: { stack?: Layer[] }
}

/** Reads deliveries in the first layer, before all parsers, including those of an app that was passed to Nest. */
export function keepRawBodyOnExpress(
  app: ExpressApp,
  routes: WebhookRoutes,
  endpoint: WebhookEndpoint,
): void {
  const open = async (
    instance: ReceivingInstance,
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
  const [layer] = stack.splice(-1)
  // Error handlers of Express 4 need the response that the layer `expressInit` prepares.
  const start = stack.findIndex(({ name }) => name === 'expressInit') + 1
  if (layer !== undefined) stack.splice(start, 0, layer)
}
