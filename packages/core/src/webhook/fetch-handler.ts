import type { Answer } from './answer.js'
import { readFetchBody } from './read-body.js'
import type { WebhookRequest } from './request.js'

/** Turns `receive` into a handler of Fetch requests. */
export function createFetchHandler(
  receive: (request: WebhookRequest) => Promise<Answer>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await receive({
      method: request.method,
      url: request.url,
      headers: request.headers,
      rawBody: readFetchBody(request),
    })
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}
