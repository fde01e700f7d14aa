import { checkOptionNames } from '../transport/option-names.js'
import type { HandlerRetryOptions, WebhookReceiverOptions } from './options.js'

const NAMES: Record<keyof WebhookReceiverOptions, true> = {
  name: true,
  secrets: true,
  orders: true,
  inbox: true,
  jobs: true,
  recipients: true,
  acceptAmount: true,
  rules: true,
  verifyOnChain: true,
  unsupportedEvent: true,
  maxAgeMs: true,
  staleDelivery: true,
  signatureHeaders: true,
  signatureEncoding: true,
  maxBodyBytes: true,
  deadlineMs: true,
  handlerRetry: true,
  retentionMs: true,
  handlerTimeoutMs: true,
  drainTimeoutMs: true,
  autoStart: true,
  instrumentation: true,
  clock: true,
  logger: true,
  onPaid: true,
  onFailed: true,
  onMismatched: true,
  onUnmatched: true,
  onExtraPayment: true,
  onUnverified: true,
  onLostWebhook: true,
  onUnderpaid: true,
  onOverpaid: true,
  onPaidTwice: true,
  onPaidLate: true,
  onPaidEarly: true,
  onWrongAsset: true,
}

const OF_HANDLER_RETRY: Record<keyof HandlerRetryOptions, true> = {
  maxAttempts: true,
  minDelayMs: true,
  maxDelayMs: true,
}

/** @throws {ConfigurationError} for a name that is none: a check that is misspelt would be off. */
export function checkReceiverNames(given: Pick<WebhookReceiverOptions, 'handlerRetry'>): void {
  checkOptionNames(given, Object.keys(NAMES))
  checkOptionNames(given.handlerRetry ?? {}, Object.keys(OF_HANDLER_RETRY), 'handlerRetry.')
}
