import type { ServerResponse } from 'node:http'
import type { WebhookReceiver } from '@tonplug/core'
import { findRawBody } from './raw-body.js'
import type { ExpressRequest } from './raw-body.js'
import { WebhookFailedError } from './webhook-failed-error.js'
import { writeAnswer } from './write-answer.js'

/**
 * Puts a webhook receiver into an Express app, as a route or mounted with `app.use(path, …)`; mounted, it leaves
 * longer paths to others. Body parsers need not be ordered around it when it comes first; see
 * {@link captureRawBody} and {@link saveRawBody} for apps whose parser does.
 * Refusals are answered here; only a {@link WebhookFailedError} reaches the app's error handler.
 * @example
 * ```ts
 * import express from 'express'
 * import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugWebhook } from '@tonplug/express'
 *
 * const receiver = createWebhookReceiver({ secrets: 'whsec_…', orders: memoryOrderRepository() })
 * const app = express()
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * app.use(express.json())
 * ```
 */
export function tonplugWebhook(
  receiver: Pick<WebhookReceiver, 'receive'>,
): (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    if (isBelowMount(request)) next()
    else void takeWebhook()

    async function takeWebhook(): Promise<void> {
      const { method, headers, originalUrl: url = request.url } = request
      try {
        const rawBody = findRawBody(request)
        writeAnswer(request, response, await receiver.receive({ method, url, headers, rawBody }))
      } catch (cause) {
        next(new WebhookFailedError({ cause }))
      }
    }
  }
}

/** Whether `app.use(path, …)` let a longer path through; a route matches nothing but its own. */
function isBelowMount({ route, url = '/' }: ExpressRequest): boolean {
  return route === undefined && !/^\/?(\?|$)/.test(url)
}
