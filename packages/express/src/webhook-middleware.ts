import type { ServerResponse } from 'node:http'
import { WEBHOOK_DEFAULTS } from '@tonplug/core'
import type { WebhookReceiver } from '@tonplug/core'
import { checkCall, checkMethod } from './check.js'
import { delayOf } from './delay.js'
import { isSigned } from './is-signed.js'
import { findRawBody } from './raw-body.js'
import type { ExpressRequest } from './raw-body.js'
import { WebhookFailedError } from './webhook-failed-error.js'
import { writeAnswer } from './write-answer.js'

/**
 * Returns an Express handler for a webhook receiver. Use it as a route, or mount it with `app.use(path, …)`; mounted, it
 * passes on requests for longer paths. Mount it before body parsers; where a parser must come first, see
 * {@link keepRawBody} and {@link keepRawBodyInParser}.
 * It responds to rejected requests itself; only a {@link WebhookFailedError} reaches the app's error handler.
 * @throws {ConfigurationError} when the argument is not a webhook receiver.
 * @example
 * ```ts
 * import express from 'express'
 * import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugWebhook } from '@tonplug/express'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const receiver = createWebhookReceiver({ payments, secrets: 'whsec_…' })
 * const app = express()
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * app.use(express.json())
 * ```
 */
export function tonplugWebhook(
  receiver: Pick<WebhookReceiver, 'receive'> & Partial<Pick<WebhookReceiver, 'signatureHeaders'>>,
): ExpressHandler {
  checkCall('tonplugWebhook', receiver, 'app.post(path, tonplugWebhook(receiver))')
  const expected = 'a receiver from createWebhookReceiver()'
  checkMethod('tonplugWebhook', receiver, { method: 'receive', expected })
  const { signatureHeaders = WEBHOOK_DEFAULTS.signatureHeaders } = receiver
  return function webhook(request, response, next) {
    if (isBelowMount(request, webhook, signatureHeaders)) next()
    else void receive()

    async function receive(): Promise<void> {
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
 * Returns true for a path that is longer than the one of `app.use(path, …)`; a route matches its own path only. Express keeps
 * `route` after a route such as `app.all('*', …)` calls `next`, so it counts only if it has this handler. If a function of
 * the app calls the handler, signed requests are processed: skipping one would lose a webhook.
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
