import { readNodeBody, type WebhookReceiver } from '@tonplug/core'
import { listen, type Listening } from '@tonplug/test-support/listen'

/** Serves a webhook receiver over `node:http`. */
export function serveReceiver(receiver: WebhookReceiver): Promise<Listening> {
  return listen((request, response) => {
    const { method, url, headers } = request
    receiver
      .receive({ method, url, headers, rawBody: readNodeBody(request) })
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch(() => response.writeHead(500).end())
  })
}
