import { parseOptions } from '@tonplug/core/internal'
import { checkOpen, deliver, type DeliveryReport, type Dispatcher } from './dispatcher.js'
import {
  checkDelivery,
  checkDeliverOptions,
  type DeliverOptions,
  type DeliveryChoice,
} from './faults.js'
import {
  failTransfer,
  lastWebhook,
  payTransfer,
  type TransferService,
  type Webhook,
} from './transfer-service.js'
import {
  FAILURE_OPTIONS,
  PAYMENT_OPTIONS,
  type SimulatedFailure,
  type SimulatedPayment,
} from './transfer.js'

/** The parts of a mock gateway. */
export interface GatewayParts {
  service: TransferService
  dispatcher: Dispatcher
}

/** Pays a transfer. See `MockGateway.pay`. */
export async function simulatePayment(
  { service, dispatcher }: GatewayParts,
  reference: string,
  options: SimulatedPayment & DeliveryChoice = {},
): Promise<DeliveryReport> {
  checkOpen(dispatcher)
  parseOptions(PAYMENT_OPTIONS, options)
  const { delivery, ...payment } = options
  checkDelivery(delivery)
  return sendWebhook(dispatcher, payTransfer(service, reference, payment), delivery)
}

/** Lets a transfer fail. See `MockGateway.fail`. */
export async function simulateFailure(
  { service, dispatcher }: GatewayParts,
  reference: string,
  options: SimulatedFailure & DeliveryChoice = {},
): Promise<DeliveryReport> {
  checkOpen(dispatcher)
  parseOptions(FAILURE_OPTIONS, options)
  const { delivery, ...failure } = options
  checkDelivery(delivery)
  return sendWebhook(dispatcher, failTransfer(service, reference, failure), delivery)
}

/** Delivers the last webhook of a transfer again. See `MockGateway.resend`. */
export async function resendWebhook(
  { service, dispatcher }: GatewayParts,
  reference: string,
  delivery: DeliverOptions = {},
): Promise<DeliveryReport> {
  checkOpen(dispatcher)
  checkDeliverOptions(delivery)
  return sendWebhook(dispatcher, lastWebhook(service, reference), delivery)
}

async function sendWebhook(
  dispatcher: Dispatcher,
  { body, isMerchants }: Webhook,
  delivery: DeliveryChoice['delivery'],
): Promise<DeliveryReport> {
  const isSent = delivery !== 'none' && isMerchants && dispatcher.options.url !== undefined
  return isSent ? deliver(dispatcher, body, delivery) : { isDelivered: false, attempts: [] }
}
