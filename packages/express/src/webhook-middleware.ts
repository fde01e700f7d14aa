import type { ServerResponse } from 'node:http'
import { ConfigurationError, SIGNATURE_HEADERS } from '@tonplug/core'
import type { WebhookReceiver } from '@tonplug/core'
import { checkCall } from './check-call.js'
import { delayOf } from './delay.js'
import { isSigned } from './is-signed.js'
import { findRawBody } from './raw-body.js'
import type { ExpressRequest } from './raw-body.js'
import { WebhookFailedError } from './webhook-failed-error.js'
import { writeAnswer } from './write-answer.js'

/**
 * Puts a webhook receiver into an Express app, as a route or mounted with `app.use(path, …)`; mounted, it leaves
 * longer paths to others. Body parsers need not be ordered around it when it comes first; see
 * {@link captureRawBody} and {@link saveRawBody} for apps whose parser does.
 * Refusals are answered here; only a {@link WebhookFailedError} reaches the app's error handler.
 * @throws {ConfigurationError} at once, when it is given no receiver.
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
  receiver: Pick<WebhookReceiver, 'receive'> & Partial<Pick<WebhookReceiver, 'signatureHeaders'>>,
): ExpressHandler {
  checkCall('tonplugWebhook', receiver, 'app.post(path, tonplugWebhook(receiver))')
  if (typeof receiver?.receive !== 'function') {
    const problem = `is a ${typeof receiver} without receive(); give what createWebhookReceiver() returns`
    throw new ConfigurationError({ option: 'tonplugWebhook', problem })
  }
  const { signatureHeaders = SIGNATURE_HEADERS } = receiver
  return function webhook(request, response, next) {
    if (isBelowMount(request, webhook, signatureHeaders)) next()
    else void takeWebhook()

    async function takeWebhook(): Promise<void> {
      const { method, headers, originalUrl: url = request.url } = request
      try {
        const rawBody = findRawBody(request)
        const elapsedMs = delayOf(request)
        const answer = await receiver.receive({ method, url, headers, elapsedMs, rawBody })
        writeAnswer(request, response, answer)
      } catch (cause) {
        next(new WebhookFailedError({ cause }))
      }
    }
  }
}

type ExpressHandler = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Whether `app.use(path, …)` let a longer path through; a route matches nothing but its own. Express leaves `route`
 * behind when a route such as `app.all('*', …)` passes a request on, so it counts only when it is ours. It may hold
 * us in a function around us: then what is signed is taken, since the opposite mistake would lose a webhook.
 */
function isBelowMount(
  { route, url = '/', method, headers }: ExpressRequest,
  webhook: ExpressHandler,
  signatureHeaders: readonly string[],
): boolean {
  const isLonger = !/^\/?(\?|$)/.test(url)
  if (route === undefined) return isLonger
  if (route.stack?.some(({ handle }) => handle === webhook) === true) return false
  return isLonger && !(method === 'POST' && isSigned(headers, signatureHeaders))
}
