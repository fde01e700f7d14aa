import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkMethod } from '@tonplug/core/bridge'
import { checkCall } from './check.js'
import { writeAnswer } from './write-answer.js'

/** A Payments or a payment watcher. */
export interface HealthSource<Options> {
  health(options?: Options): Promise<{ status: 'up' | 'degraded' | 'down' }>
}

/**
 * Returns an Express handler that responds with the health of a Payments or a payment watcher as JSON: 200 for `up` and
 * `degraded`, 503 for `down`. The body has numbers of payments; do not make the route public.
 * @throws {ConfigurationError} when the first argument has no `health()`. Invalid options are passed to the app's error
 * handler.
 * @example
 * ```ts
 * import express from 'express'
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugHealth } from '@tonplug/express'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const app = express()
 * app.get('/ready', tonplugHealth(payments))
 * ```
 */
export function tonplugHealth<Options extends object>(
  source: HealthSource<Options>,
  options?: Options,
): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void {
  checkCall('tonplugHealth', source, 'app.get(path, tonplugHealth(payments))')
  const expected = 'a Payments or a payment watcher'
  checkMethod('tonplugHealth', source, { method: 'health', expected })
  return (request, response, next) => {
    source.health(options).then((health) => {
      writeAnswer(request, response, {
        status: health.status === 'down' ? 503 : 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify(health),
      })
    }, next)
  }
}
