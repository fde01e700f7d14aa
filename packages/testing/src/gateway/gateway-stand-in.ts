import { checkOptionNames, type Clock, ConfigurationError, systemClock } from '@tonplug/core'
import { type ApiServer, startApiServer } from './api-server.js'
import type { OtherAssets } from './assets.js'
import type { DeliveryFetch, LoggedAttempt } from './attempt.js'
import { answerControl, type Control, isControl } from './control-api.js'
import { createDispatcher, type DeliveryReport } from './dispatcher.js'
import { checkDeliverOptions, checkDelivery, type DeliverOptions } from './faults.js'
import type { HeldDeliveries } from './held-deliveries.js'
import { answerMerchant, type Merchant } from './merchant-api.js'
import type { TransferMessage } from './message.js'
import { badRequest, GatewayStandInError } from './stand-in-error.js'
import { createTransferDesk, type FindJettonWallet, type Webhook } from './transfer-desk.js'
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

/** Where the gateway delivers to, and how. */
export interface GatewayStandInOptions {
  /**
   * The webhook route, for example `http://127.0.0.1:3000/webhooks/ton`; or a function, asked at each delivery, for a
   * shop that starts later. Without one no webhooks are sent.
   */
  url?: string | (() => string) | undefined
  /** The webhook secret that it signs with. */
  secret: string
  /** Time for time-outs, retries and dates. @default the machine's clock */
  clock?: Clock | undefined
  /**
   * Name of the signature header, or several names under which to send it: the gateway's description says
   * `x-pay-signature`, its SDK `x-tonpay-signature`.
   * @default 'x-tonpay-signature'
   */
  header?: string | readonly string[] | undefined
  /**
   * The merchant's API key. With it the stand-in is as strict as the gateway: another key is answered 401, and a
   * transfer created over HTTP without the key must name its recipient and never sends a webhook.
   * @default every request counts as the merchant's
   */
  apiKey?: string | undefined
  /** The merchant's wallet, for transfers that name no recipient. @default that of the payload builders */
  recipientAddr?: string | undefined
  /** The buyer's wallet, for transfers that name no sender. @default that of the payload builders */
  senderAddr?: string | undefined
  /** Jettons beside USDT; a function is asked with the canonical address of a master. @default [] */
  assets?: OtherAssets | undefined
  /**
   * Tells an owner's wallet for a jetton, which is where the message of a transfer goes. Where it tells none, an
   * address that nobody has stands in. One that answers later serves transfers that are created over HTTP alone.
   */
  jettonWallet?: FindJettonWallet | undefined
  /** How many transfers are remembered, the newest ones. @default 10_000 */
  maxTransfers?: number | undefined
  /** How many attempts are logged, the newest ones. @default 1000 */
  maxAttempts?: number | undefined
  /** Makes the requests of deliveries. @default globalThis.fetch */
  fetch?: DeliveryFetch | undefined
}

const NAMES: Record<keyof GatewayStandInOptions, true> = {
  url: true,
  secret: true,
  clock: true,
  header: true,
  apiKey: true,
  recipientAddr: true,
  senderAddr: true,
  assets: true,
  jettonWallet: true,
  maxTransfers: true,
  maxAttempts: true,
  fetch: true,
}

/** How the webhook of a payment or of a failure goes out: `'none'` sends none. */
export interface Reporting {
  /** @default {} as it should be */
  delivery?: DeliverOptions | 'none' | undefined
}

/** A payment gateway as shops see it: transfers, their status, and signed webhooks. */
export interface GatewayStandIn {
  /**
   * Opens the HTTP API on the loopback: `POST /api/merchant/v1/create-transfer` and `GET /api/merchant/v1/transfer`
   * by `reference` or `bodyHash`, as the gateway's SDK calls them; and below `/stand-in/` what `tonplug trigger` calls.
   * @param port @default 0, a free one
   * @returns the base URL: what `@ton-pay/api` wants as `TONPAY_BASE_URL`, and `createTransferClient` as `baseUrl`.
   * @throws {GatewayStandInError} when it is open already.
   */
  listen(port?: number): Promise<string>
  /**
   * Creates a transfer as the HTTP API does, with the amount in base units.
   * @throws {GatewayStandInError} when a value makes no sense, or the reference is taken.
   * @throws {ConfigurationError} for an option that does not exist.
   */
  createTransfer(transfer: NewTransfer): CreatedTransfer
  /**
   * What the status endpoint tells of a transfer.
   * @throws {GatewayStandInError} when there is none.
   */
  transfer(reference: string): TransferStatus
  /** As {@link transfer}, by the hash of the message's body in any base64; `undefined` when there is none. */
  findByBodyHash(bodyHash: string): TransferStatus | undefined
  /**
   * What the buyer's wallet is asked to send for a transfer, as it was answered when it was created.
   * @throws {GatewayStandInError} when there is none.
   */
  message(reference: string): TransferMessage
  /** What the status endpoint would tell of each transfer that is remembered, the oldest first. */
  transfers(): TransferStatus[]
  /**
   * Has a transfer paid: its status changes before this returns, and its webhook is delivered. A transfer may be paid
   * again, by another `txHash`; its status stays that of the first payment.
   * @returns what became of the webhook, when that is known; without a webhook a report without attempts.
   * @throws {GatewayStandInError} (a rejection) when there is no such transfer, or a value makes no sense.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  pay(reference: string, payment?: SimulatedPayment & Reporting): Promise<DeliveryReport>
  /**
   * Has a transfer fail, as {@link pay} has it paid. The status of one that was paid does not change.
   * @throws {GatewayStandInError} (a rejection) as {@link pay}.
   */
  fail(reference: string, failure?: SimulatedFailure & Reporting): Promise<DeliveryReport>
  /**
   * Delivers the last webhook of a transfer again, byte by byte.
   * @throws {GatewayStandInError} (a rejection) when there was none, or an option makes no sense.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  resend(reference: string, options?: DeliverOptions): Promise<DeliveryReport>
  /**
   * Signs any payload and delivers it, with the gateway's time-out and retries.
   * @param payload sent as JSON; text and bytes are sent as they are.
   * @returns the report, when the delivery was acknowledged, its last retry has failed, or the stand-in was closed.
   * @throws {GatewayStandInError} (a rejection) when an option makes no sense.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  deliver(payload: string | object, options?: DeliverOptions): Promise<DeliveryReport>
  /** Keeps back the deliveries from now on, until they are released in the order that is wanted. */
  hold(): HeldDeliveries
  /** Calls `listener` after each attempt of any delivery. Returns the function that ends it. */
  onAttempt(listener: (attempt: LoggedAttempt) => void): () => void
  /** The attempts of all deliveries, in the order in which they ended, and what they sent. */
  log(): LoggedAttempt[]
  /** Ends deliveries and timers, and forgets all transfers and the log. Options, listeners and the HTTP API stay. */
  reset(): Promise<void>
  /** Ends deliveries, timers and the HTTP API; what is under way counts as not delivered. */
  close(): Promise<void>
}

/**
 * A stand-in for the payment gateway, without a chain: it creates transfers over HTTP as the gateway's SDK asks for
 * them, tells their status, and delivers signed webhooks with the gateway's schedule: 10 s for each answer, retries
 * after 1 s, 5 s and 15 s. Each one is on its own; close it when the test is over.
 * @throws {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { createGatewayStandIn } from '@tonplug/testing'
 *
 * const gateway = createGatewayStandIn({
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
export function createGatewayStandIn(options: GatewayStandInOptions): GatewayStandIn {
  checkOptionNames(options, Object.keys(NAMES))
  const { clock = systemClock, apiKey, url } = options
  if (apiKey === '') {
    const problem = 'it is empty; leave it out where there is none'
    throw new ConfigurationError({ option: 'apiKey', problem })
  }
  checkLimit('maxTransfers', options.maxTransfers)
  checkLimit('maxAttempts', options.maxAttempts)
  const desk = createTransferDesk({ ...options, clock })
  const dispatcher = createDispatcher({ ...options, clock })
  const isMerchants = (key: string | undefined): boolean => apiKey === undefined || key === apiKey
  let server: Promise<ApiServer> | undefined

  const report = (webhook: Webhook, delivery: Reporting['delivery'] = {}) =>
    delivery === 'none' || !webhook.isMerchants || url === undefined
      ? { isDelivered: false, attempts: [] }
      : dispatcher.deliver(webhook.body, delivery)
  const merchant: Merchant = {
    ...desk,
    checkKey(key) {
      if (key === undefined || isMerchants(key)) return
      throw new GatewayStandInError({ status: 401, message: "the x-api-key is not the merchant's" })
    },
    create: (body, key) => desk.createFrom(body, isMerchants(key)),
  }
  const control: Control = {
    createTransfer: (transfer) => desk.createLater(transfer, true),
    pay: (reference, payment) => gateway.pay(reference, payment),
    fail: (reference, failure) => gateway.fail(reference, failure),
  }
  const gateway: GatewayStandIn = {
    async listen(port = 0) {
      dispatcher.checkOpen()
      if (server !== undefined) throw badRequest('the HTTP API is open already')
      const opening = startApiServer(
        (request) =>
          isControl(request) ? answerControl(control, request) : answerMerchant(merchant, request),
        port,
      )
      server = opening
      // It may be opened on another port then.
      opening.catch(() => (server = undefined))
      return (await opening).baseUrl
    },
    createTransfer(transfer) {
      dispatcher.checkOpen()
      checkOptionNames(transfer, TRANSFER_OPTIONS)
      return desk.create(transfer, true)
    },
    transfer: (reference) => desk.statusByReference(reference),
    findByBodyHash: (bodyHash) => desk.findByBodyHash(bodyHash),
    message: (reference) => desk.message(reference),
    transfers: () => desk.list(),
    async pay(reference, options = {}) {
      dispatcher.checkOpen()
      checkOptionNames(options, [...PAYMENT_OPTIONS, 'delivery'])
      const { delivery, ...payment } = options
      checkDelivery(delivery)
      return report(desk.pay(reference, payment), delivery)
    },
    async fail(reference, options = {}) {
      dispatcher.checkOpen()
      checkOptionNames(options, [...FAILURE_OPTIONS, 'delivery'])
      const { delivery, ...failure } = options
      checkDelivery(delivery)
      return report(desk.fail(reference, failure), delivery)
    },
    async resend(reference, delivery = {}) {
      dispatcher.checkOpen()
      checkDeliverOptions(delivery)
      return report(desk.lastWebhook(reference), delivery)
    },
    deliver: (payload, delivery) => dispatcher.deliver(payload, delivery),
    hold: () => dispatcher.hold(),
    onAttempt: (listener) => dispatcher.onAttempt(listener),
    log: () => dispatcher.log(),
    async reset() {
      await dispatcher.reset()
      desk.clear()
    },
    async close() {
      await dispatcher.close()
      await (await server?.catch(() => undefined))?.close()
    },
  }
  return gateway
}

function checkLimit(option: string, limit = 1): void {
  if (Number.isInteger(limit) && limit >= 1) return
  throw new ConfigurationError({ option, problem: `it is ${limit}; give a whole number from 1 on` })
}
