import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeAnswer } from './write-answer.js'

/** A receiver or a reconciler. */
export interface HealthSource<Options> {
  health(options?: Options): Promise<{ status: 'up' | 'down' }>
}

/**
 * Answers whether a receiver can take deliveries, or whether a reconciler runs: 200 when it is up, 503 when it is down,
 * with what its `health()` says as JSON. It counts payments, so keep its route to yourself.
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
export function tonplugHealth<Options extends object>(
  checked: HealthSource<Options>,
  options?: Options,
): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    checked.health(options).then((health) => {
      writeAnswer(request, response, {
        status: health.status === 'up' ? 200 : 503,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify(health),
      })
    }, next)
  }
}
