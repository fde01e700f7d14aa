import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookReceiver } from '@tonplug/core'
import { checkMethod, findNodeBody, WebhookFailedError } from '@tonplug/core/bridge'
import { checkCall } from './check.js'
import { isOwnPath } from './is-own-path.js'
import { writeAnswer } from './write-answer.js'

/** A request of Express 4 or 5, reduced to the fields that tonplug reads. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl?: string | undefined
  route?: Parameters<typeof isOwnPath>[0]['route']
  body?: unknown
  /** The exact bytes, or their string, if a parser or a middleware kept them. */
  rawBody?: unknown
}

const FIX =
  'mount tonplugWebhook() before express.json() and other parsers, or let the parser keep the bytes: ' +
  'express.json({ verify: keepRawBody })'

/**
 * Returns an Express handler for a webhook receiver. Use it as a route, or mount it with `app.use(path, …)`; mounted, it
 * passes on requests for longer paths. Mount it before body parsers; where a parser must come first, see
 * {@link keepRawBody}.
 * It responds to rejected requests itself; only a {@link WebhookFailedError} reaches the app's error handler.
 * @throws {ConfigurationError} when the argument is not a webhook receiver.
 * @example
 * ```ts
 * import express from 'express'
 * import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugWebhook } from '@tonplug/express'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const receiver = createWebhookReceiver({ payments, secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '' })
 * const app = express()
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * app.use(express.json())
 * ```
 */
export function tonplugWebhook(receiver: Pick<WebhookReceiver, 'receive'>): ExpressHandler {
  checkCall('tonplugWebhook', receiver, 'app.post(path, tonplugWebhook(receiver))')
  const expected = 'a receiver from createWebhookReceiver()'
  checkMethod('tonplugWebhook', receiver, { method: 'receive', expected })
  return function webhook(request, response, next) {
    if (isOwnPath(request, webhook)) void receive()
    else next()

    async function receive(): Promise<void> {
      const { method, headers, originalUrl: url = request.url } = request
      try {
        const { rawBody, body } = request
        const reader = findNodeBody(request, { rawBody, body, headers, fix: FIX })
        const answer = await receiver.receive({ method, url, headers, rawBody: reader })
        writeAnswer(request, response, answer)
      } catch (cause) {
        next(new WebhookFailedError({ cause }))
      }
    }
  }
}

export type ExpressHandler = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void
