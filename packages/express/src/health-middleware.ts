import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConfigurationError } from '@tonplug/core'
import { checkCall } from './check-call.js'
import { writeAnswer } from './write-answer.js'

/** A receiver or a reconciler. */
export interface HealthSource<Options> {
  health(options?: Options): Promise<{ status: 'up' | 'down' }>
}

/**
 * Answers whether a receiver can take deliveries, or whether a reconciler runs: 200 when it is up, 503 when it is down,
 * with what its `health()` says as JSON. It counts payments, so keep its route to yourself.
 * @throws {ConfigurationError} at once, when it is given nothing that has a health. Options that cannot be are one for the
 * app's error handler.
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
  checkCall('tonplugHealth', checked, 'app.get(path, tonplugHealth(receiver))')
  // In JavaScript it may be forgotten.
  if (typeof checked?.health !== 'function') {
    const problem = `is a ${typeof checked} without health(); give a receiver or a reconciler`
    throw new ConfigurationError({ option: 'tonplugHealth', problem })
  }
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
