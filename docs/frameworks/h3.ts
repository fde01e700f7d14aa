import type { WebhookReceiver } from '@tonplug/core'
import { H3 } from 'h3'

export function createH3App(receiver: WebhookReceiver): H3 {
  const app = new H3()
  app.all('/webhooks/ton', (event) => receiver.handle(event.req))
  return app
}
