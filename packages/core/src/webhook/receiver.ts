import { ConfigurationError } from '../shared/configuration-error.js'
import type { DecisionKind } from '../orders/decision.js'
import type { Answer, Refusal } from './answer.js'
import { createFetchHandler } from './fetch-handler.js'
import { resolveReceiverOptions, type WebhookReceiverOptions } from './options.js'
import { createReceive } from './receive.js'
import type { WebhookRequest } from './request.js'

/** A door of Payments: verifies webhook requests and submits the transfers that they report. */
export interface WebhookReceiver {
  /** Lower-case. */
  readonly signatureHeaders: readonly string[]
  readonly maxBodyBytes: number
  /**
   * Processes one request. A 2xx is returned only after the decision is durable. Mounted directly in Express, it passes
   * the error to `next`, because Express requests need `tonplugWebhook(receiver)`.
   * @throws {RuleError} when a function in the options of Payments throws; the report is stored.
   */
  receive(request: WebhookRequest): Promise<Answer>
  /**
   * `receive` for servers that use Fetch: Hono, Next, Bun, Deno, Workers.
   * @throws {ConfigurationError} for anything but a Fetch `Request`, for example a context of Hono or a request of Express.
   */
  handle(request: Request): Promise<Response>
  /** Returns the number of requests by outcome since the receiver was created. */
  stats(): Readonly<Partial<Record<DecisionKind | Refusal['kind'], number>>>
  /** Responds with 503 from now on; waits up to `drainTimeoutMs` for running requests. Close it before Payments. */
  close(): Promise<void>
}

/**
 * Creates the receiver of a webhook route.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const receiver = createWebhookReceiver({
 *   payments,
 *   secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '',
 * })
 * ```
 */
export function createWebhookReceiver(given: WebhookReceiverOptions): WebhookReceiver {
  const options = resolveReceiverOptions(given)
  const gate = createReceive(options)
  let closed: Promise<void> | undefined
  return {
    signatureHeaders: options.signatureHeaders,
    maxBodyBytes: options.maxBodyBytes,
    receive: (request, ...rest: unknown[]) => receiveOrPass(gate.receive(request), rest),
    handle: createFetchHandler(gate.receive),
    stats: gate.stats,
    close: () => (closed ??= gate.close()),
  }
}

/**
 * Express calls a mounted handler with `next` as third argument, and Express 4 ignores its promise: a rejection would end
 * the process. A request of Express has no raw body, so the caller gets an error in any case.
 */
function receiveOrPass(answer: Promise<Answer>, [, next]: unknown[]): Promise<Answer> {
  if (typeof next !== 'function') return answer
  const problem = 'is not an Express handler; mount tonplugWebhook(receiver) of @tonplug/express'
  const misuse = new ConfigurationError({ option: 'receiver.receive', problem })
  const pass = async (): Promise<void> => {
    const error: unknown = await answer.then(
      () => misuse,
      (thrown: unknown) => (thrown instanceof ConfigurationError ? misuse : thrown),
    )
    next(error)
  }
  void pass()
  return new Promise<Answer>(() => undefined)
}
