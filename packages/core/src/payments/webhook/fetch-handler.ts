import { ConfigurationError } from '../../shared/configuration-error.js'
import type { WebhookResponse } from './response.js'
import { readFetchBody } from './read-body.js'
import type { WebhookRequest } from './request.js'

/** Turns `receive` into a handler of Fetch requests. */
export function createFetchHandler(
  receive: (request: WebhookRequest) => Promise<WebhookResponse>,
): (request: Request) => Promise<Response> {
  return async (request, ...others: unknown[]) => {
    if (!isFetchRequest(request)) return refuseOther(others)
    const { status, headers, body } = await receive({
      method: request.method,
      url: request.url,
      headers: request.headers,
      rawBody: readFetchBody(request),
    })
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}

/** Not by `instanceof`: some servers have their own `Request` class. */
function isFetchRequest(request: Partial<Request> | undefined): boolean {
  return typeof request?.headers?.get === 'function' && typeof request.arrayBuffer === 'function'
}

/** Passes the error to the `next` of Express, where a rejection may end the process. @throws {ConfigurationError} without `next`. */
function refuseOther([, next]: unknown[]): Response {
  const problem =
    'must be called with a Fetch Request; in Hono pass c.req.raw, and in Express mount tonplugWebhook(receiver) of @tonplug/express'
  const error = new ConfigurationError({ option: 'receiver.handle', problem })
  if (typeof next !== 'function') throw error
  next(error)
  return Response.error()
}
