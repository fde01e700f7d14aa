import { systemClock } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { type ApiRequest, createApiServer } from './api-server.js'
import type { LoggedAttempt } from './attempt.js'
import { handleControl, isControl } from './control-api.js'
import {
  checkOpen,
  createDispatcher,
  deliver,
  type DeliveryReport,
  endDeliveries,
  holdDeliveries,
  resetDispatcher,
} from './dispatcher.js'
import type { DeliverOptions, DeliveryChoice } from './faults.js'
import type { HeldDeliveries } from './held-deliveries.js'
import { handleMerchant } from './merchant-api.js'
import type { TransferMessage } from './message.js'
import { type MockGatewayOptions, OPTIONS } from './options.js'
import {
  type GatewayParts,
  resendWebhook,
  simulateFailure,
  simulatePayment,
} from './simulate-payment.js'
import { createTransfer, createTransferService } from './transfer-service.js'
import {
  type CreatedTransfer,
  type NewTransfer,
  type SimulatedFailure,
  type SimulatedPayment,
  TRANSFER_OPTIONS,
  type TransferStatus,
} from './transfer.js'

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
  /**
   * Returns the status of every kept transfer, oldest first. `requested` has the values of its creation, which a payment
   * replaces.
   */
  transfers(): (TransferStatus & {
    requested: Pick<TransferStatus, 'amount' | 'rawAmount' | 'assetTicker'>
  })[]
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
  const timed = { ...options, clock: options.clock ?? systemClock }
  const service = createTransferService(timed)
  const dispatcher = createDispatcher(timed)
  const parts = { service, dispatcher }
  const { store } = service
  const { log } = dispatcher
  const api = createApiServer((request) => handleRequest(parts, options.apiKey, request))
  return {
    async listen(port = 0) {
      checkOpen(dispatcher)
      return api.listen(port)
    },
    createTransfer(transfer) {
      checkOpen(dispatcher)
      parseOptions(TRANSFER_OPTIONS, transfer)
      return createTransfer(service, transfer)
    },
    transfer: (reference) => ({ ...store.byReference(reference).status }),
    findByBodyHash(bodyHash) {
      const found = store.findByBodyHash(bodyHash)
      return found && { ...found.status }
    },
    message: (reference) => ({ ...store.byReference(reference).created.message }),
    transfers: () =>
      store.list().map(({ status, requested }) => ({ ...status, requested: { ...requested } })),
    pay: (reference, payment) => simulatePayment(parts, reference, payment),
    fail: (reference, failure) => simulateFailure(parts, reference, failure),
    resend: (reference, delivery) => resendWebhook(parts, reference, delivery),
    deliver: (payload, delivery) => deliver(dispatcher, payload, delivery),
    hold: () => holdDeliveries(dispatcher),
    onAttempt: (listener) => log.subscribe(listener),
    log: () => log.list(),
    reset: () => resetDispatcher(dispatcher).then(() => store.clear()),
    close: () => endDeliveries(dispatcher).then(() => api.close()),
  }
}

function handleRequest(
  parts: GatewayParts,
  apiKey: string | undefined,
  request: ApiRequest,
): Promise<object> {
  if (isControl(request)) return handleControl(parts, request)
  return handleMerchant({ service: parts.service, apiKey }, request)
}
