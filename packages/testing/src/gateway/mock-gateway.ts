import { type Clock, parseOptions, systemClock } from '@tonplug/core'
import { z } from 'zod'
import { type ApiServer, startApiServer } from './api-server.js'
import type { OtherAssets } from './assets.js'
import type { DeliveryFetch, LoggedAttempt } from './attempt.js'
import { handleControl, type Control, isControl } from './control-api.js'
import { createDispatcher, type DeliveryReport } from './dispatcher.js'
import { checkDeliverOptions, checkDelivery, type DeliverOptions } from './faults.js'
import type { HeldDeliveries } from './held-deliveries.js'
import { handleMerchant, type Merchant } from './merchant-api.js'
import type { TransferMessage } from './message.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'
import { createTransferService, type FindJettonWallet, type Webhook } from './transfer-service.js'
import {
  type CreatedTransfer,
  FAILURE_OPTIONS,
  type NewTransfer,
  PAYMENT_OPTIONS,
  type SimulatedFailure,
  type SimulatedPayment,
  TRANSFER_OPTIONS,
  type TransferStatus,
} from './transfer.js'

/** Options of {@link createMockGateway}. */
export interface MockGatewayOptions {
  /**
   * The webhook route, for example `http://127.0.0.1:3000/webhooks/ton`; or a function that returns it for
   * each delivery, for a shop that starts later. Without it no webhooks are sent.
   */
  url?: string | (() => string) | undefined
  /** The webhook secret. */
  secret: string
  /** The clock of timeouts, retries and dates. @default systemClock */
  clock?: Clock | undefined
  /**
   * Name of the signature header, or several names: the gateway's description uses
   * `x-pay-signature`, its SDK `x-tonpay-signature`.
   * @default 'x-tonpay-signature'
   */
  header?: string | readonly string[] | undefined
  /**
   * The merchant's API key. With it the mock is as strict as the gateway: the response to another key is 401, and a
   * transfer that is created over HTTP without the key must have a recipient and never sends a webhook.
   * @default every request counts as the merchant's
   */
  apiKey?: string | undefined
  /** The merchant's wallet, for transfers without a recipient. @default that of `transferCompleted` */
  recipientAddr?: string | undefined
  /** The buyer's wallet, for transfers without a sender. @default that of `transferCompleted` */
  senderAddr?: string | undefined
  /** Jettons besides USDT; a function receives the canonical address of a master. @default [] */
  assets?: OtherAssets | undefined
  /**
   * Returns an owner's wallet for a jetton, the destination of a transfer's message. Without it, or if it returns
   * `undefined`, the address is a placeholder. An asynchronous function is used for transfers that are created over HTTP
   * only.
   */
  jettonWallet?: FindJettonWallet | undefined
  /** Number of transfers that are kept, the newest ones. @default 10_000 */
  maxTransfers?: number | undefined
  /** Number of attempts that are kept in the log, the newest ones. @default 1000 */
  maxAttempts?: number | undefined
  /** Makes the requests of deliveries. @default globalThis.fetch */
  fetch?: DeliveryFetch | undefined
}

const text = z.string().optional()
const limit = z.int().min(1).optional()
const isFunction = (value: unknown): boolean => typeof value === 'function'

const OPTIONS = z.strictObject({
  url: z
    .custom<string | (() => string)>(
      (value) => typeof value === 'string' || isFunction(value),
      'must be a URL or a function that returns one',
    )
    .optional(),
  // The dispatcher checks it.
  secret: z.any().optional(),
  clock: z.custom<Clock>().optional(),
  header: z.union([z.string(), z.array(z.string())], 'must be the name of a header').optional(),
  apiKey: z.string().min(1, 'must not be empty. Omit it if the merchant has none').optional(),
  recipientAddr: text,
  senderAddr: text,
  // The desk checks them.
  assets: z.any().optional(),
  jettonWallet: z.custom<FindJettonWallet>(isFunction, 'must be a function').optional(),
  maxTransfers: limit,
  maxAttempts: limit,
  fetch: z.custom<DeliveryFetch>(isFunction, 'must be a function').optional(),
} satisfies Record<keyof MockGatewayOptions, z.ZodType>)

/** The delivery of a payment's or a failure's webhook. */
export interface DeliveryChoice {
  /** Faults of the delivery; `'none'` sends no webhook. @default {} (no faults) */
  delivery?: DeliverOptions | 'none' | undefined
}

/** A mock payment gateway: transfers, their status, and signed webhooks. */
export interface MockGateway {
  /**
   * Starts the HTTP API on the loopback interface: `POST /api/merchant/v1/create-transfer` and `GET /api/merchant/v1/transfer`
   * by `reference` or `bodyHash`, as the gateway's SDK calls them; and below `/mock-gateway/` the paths for `tonplug trigger`.
   * @param port @default 0, a free one
   * @returns the base URL: `TONPAY_BASE_URL` for `@ton-pay/api`, and `baseUrl` of `createTransferClient`.
   * @throws {MockGatewayError} when it has been started.
   */
  listen(port?: number): Promise<string>
  /**
   * Creates a transfer as the HTTP API does, with the amount in base units.
   * @throws {MockGatewayError} when a value is invalid, or the reference exists.
   * @throws {ConfigurationError} for an option that does not exist.
   */
  createTransfer(transfer: NewTransfer): CreatedTransfer
  /**
   * Returns the response of the status endpoint for a transfer.
   * @throws {MockGatewayError} when it does not exist.
   */
  transfer(reference: string): TransferStatus
  /** Returns the status of the transfer with this body hash, in any base64; `undefined` when it does not exist. */
  findByBodyHash(bodyHash: string): TransferStatus | undefined
  /**
   * Returns the message that the buyer's wallet must send for a transfer, as in the response to its creation.
   * @throws {MockGatewayError} when it does not exist.
   */
  message(reference: string): TransferMessage
  /** Returns the status of every kept transfer, oldest first. */
  transfers(): TransferStatus[]
  /**
   * Simulates the payment of a transfer: its status changes before this returns, and its webhook is delivered. A transfer may
   * be paid again, by another `txHash`; its status stays that of the first payment.
   * @returns the result of the delivery, at its end; without a webhook a report without attempts.
   * @throws {MockGatewayError} (a rejection) when the transfer does not exist, or a value is invalid.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  pay(reference: string, payment?: SimulatedPayment & DeliveryChoice): Promise<DeliveryReport>
  /**
   * Simulates the failure of a transfer, like {@link pay}. The status of a paid transfer does not change.
   * @throws {MockGatewayError} (a rejection) like {@link pay}.
   */
  fail(reference: string, failure?: SimulatedFailure & DeliveryChoice): Promise<DeliveryReport>
  /**
   * Delivers the last webhook of a transfer again, without a change.
   * @throws {MockGatewayError} (a rejection) when there was no webhook, or an option is invalid.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  resend(reference: string, options?: DeliverOptions): Promise<DeliveryReport>
  /**
   * Signs any payload and delivers it, with the gateway's timeout and retries.
   * @param payload sent as JSON; strings and bytes are sent without a change.
   * @returns the report, when the delivery was acknowledged, its last retry has failed, or the mock was closed.
   * @throws {MockGatewayError} (a rejection) when an option is invalid.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  deliver(payload: string | object, options?: DeliverOptions): Promise<DeliveryReport>
  /** Holds deliveries from now on, until they are released in the wanted sequence. */
  hold(): HeldDeliveries
  /** Calls `listener` after each attempt of any delivery. Returns the function that unsubscribes. */
  onAttempt(listener: (attempt: LoggedAttempt) => void): () => void
  /** The attempts of all deliveries with their requests, in the sequence in which they ended. */
  log(): LoggedAttempt[]
  /** Ends deliveries and timers, and deletes all transfers and the log. Options, listeners and the HTTP API stay. */
  reset(): Promise<void>
  /** Ends deliveries, timers and the HTTP API; running deliveries count as not delivered. */
  close(): Promise<void>
}

/**
 * Creates a mock payment gateway without a chain. It creates transfers over HTTP for the gateway's SDK, returns their status,
 * and delivers signed webhooks with the gateway's schedule: a timeout of 10 s, and retries after 1 s, 5 s and 15 s. Mocks share
 * nothing; close each one at the end of its test.
 * @throws {ConfigurationError} when an option is invalid.
 * @example
 * ```ts
 * import { createMockGateway } from '@tonplug/testing'
 *
 * const gateway = createMockGateway({
 *   url: 'http://127.0.0.1:3000/webhooks/ton',
 *   secret: 'whsec_test',
 * })
 * process.env['TONPAY_BASE_URL'] = await gateway.listen()
 *
 * const { reference } = gateway.createTransfer({ rawAmount: 10_500_000_000n })
 * const { isDelivered } = await gateway.pay(reference)
 * await gateway.close()
 * ```
 */
export function createMockGateway(options: MockGatewayOptions): MockGateway {
  parseOptions(OPTIONS, options)
  const { clock = systemClock, apiKey, url } = options
  const service = createTransferService({ ...options, clock })
  const dispatcher = createDispatcher({ ...options, clock })
  const isMerchants = (key: string | undefined): boolean => apiKey === undefined || key === apiKey
  let server: Promise<ApiServer> | undefined

  const report = (webhook: Webhook, delivery: DeliveryChoice['delivery'] = {}) =>
    delivery === 'none' || !webhook.isMerchants || url === undefined
      ? { isDelivered: false, attempts: [] }
      : dispatcher.deliver(webhook.body, delivery)
  const merchant: Merchant = {
    ...service,
    checkKey(key) {
      if (key === undefined || isMerchants(key)) return
      throw new MockGatewayError({ status: 401, message: "the x-api-key is not the merchant's" })
    },
    create: (body, key) => service.createFrom(body, isMerchants(key)),
  }
  const control: Control = {
    createTransfer: (transfer) => service.createLater(transfer, true),
    pay: (reference, payment) => gateway.pay(reference, payment),
    fail: (reference, failure) => gateway.fail(reference, failure),
  }
  const gateway: MockGateway = {
    async listen(port = 0) {
      dispatcher.checkOpen()
      if (server !== undefined) throw badRequest('the HTTP API has been started')
      const opening = startApiServer(
        (request) =>
          isControl(request) ? handleControl(control, request) : handleMerchant(merchant, request),
        port,
      )
      server = opening
      // The API may be started again on another port.
      opening.catch(() => (server = undefined))
      return (await opening).baseUrl
    },
    createTransfer(transfer) {
      dispatcher.checkOpen()
      parseOptions(TRANSFER_OPTIONS, transfer)
      return service.create(transfer, true)
    },
    transfer: (reference) => service.statusByReference(reference),
    findByBodyHash: (bodyHash) => service.findByBodyHash(bodyHash),
    message: (reference) => service.message(reference),
    transfers: () => service.list(),
    async pay(reference, options = {}) {
      dispatcher.checkOpen()
      parseOptions(PAYMENT_OPTIONS, options)
      const { delivery, ...payment } = options
      checkDelivery(delivery)
      return report(service.pay(reference, payment), delivery)
    },
    async fail(reference, options = {}) {
      dispatcher.checkOpen()
      parseOptions(FAILURE_OPTIONS, options)
      const { delivery, ...failure } = options
      checkDelivery(delivery)
      return report(service.fail(reference, failure), delivery)
    },
    async resend(reference, delivery = {}) {
      dispatcher.checkOpen()
      checkDeliverOptions(delivery)
      return report(service.lastWebhook(reference), delivery)
    },
    deliver: (payload, delivery) => dispatcher.deliver(payload, delivery),
    hold: () => dispatcher.hold(),
    onAttempt: (listener) => dispatcher.onAttempt(listener),
    log: () => dispatcher.log(),
    async reset() {
      await dispatcher.reset()
      service.clear()
    },
    async close() {
      await dispatcher.close()
      await (await server?.catch(() => undefined))?.close()
    },
  }
  return gateway
}
