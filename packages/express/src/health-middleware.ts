import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceiverHealthOptions, WebhookReceiver } from '@tonplug/core'
import { writeAnswer } from './write-answer.js'

/**
 * Answers whether a receiver can take deliveries: 200 when it is up, 503 when it is down, with what
 * `receiver.health()` says as JSON. It counts payments, so keep its route to yourself.
 * @example
 * ```ts
 * import express from 'express'
 * import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugHealth, tonplugWebhook } from '@tonplug/express'
 *
 * const receiver = createWebhookReceiver({ secrets: 'whsec_…', orders: memoryOrderRepository() })
 * const app = express()
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * app.get('/ready', tonplugHealth(receiver))
 * ```
 */
export function tonplugHealth(
  receiver: Pick<WebhookReceiver, 'health'>,
  options: ReceiverHealthOptions = {},
): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    receiver.health(options).then((health) => {
      writeAnswer(request, response, {
        status: health.status === 'up' ? 200 : 503,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify(health),
      })
    }, next)
  }
}
