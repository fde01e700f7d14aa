import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookResponse } from '@tonplug/core'
import { drainRequest } from '@tonplug/core/bridge'

/**
 * Writes a response unless the connection is closed or another response has been started. After that, the connection of a
 * request that is still incomplete is drained and closed.
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Pick<WebhookResponse, 'status' | 'headers' | 'body'>,
): void {
  if (response.headersSent || response.destroyed || response.socket?.destroyed === true) return
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
  })
  const body = request.method === 'HEAD' ? undefined : answer.body
  if (request.complete) {
    response.end(body)
    return
  }
  if (body !== undefined) response.write(body)
  void drainRequest(request).then(() => {
    response.end()
    if (!request.complete) request.destroy()
  })
}
