import type { IncomingMessage, ServerResponse } from 'node:http'
import { readNodeBody, type WebhookReceiver } from '@tonplug/core'
import { listen, type Listening } from '@tonplug/test-support/listen'

/** A minimal adapter. */
export function serveNode(receiver: WebhookReceiver): Promise<Listening> {
  return listen((request, response) => {
    answer(receiver, request, response).catch(() => response.writeHead(500).end())
  })
}

async function answer(
  receiver: WebhookReceiver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url, headers } = request
  const { status, ...answered } = await receiver.receive({
    method,
    url,
    headers,
    rawBody: readNodeBody(request),
  })
  response.writeHead(status, answered.headers).end(answered.body)
}
