export type { HandlerEvent } from './inbox/handler-event.js'
export {
  handlerTaskKey,
  type Inbox,
  type JoinedOrders,
  type NewReport,
  type Report,
  type Task,
} from './inbox/inbox.js'
export { memoryInbox } from './inbox/memory-inbox.js'
export type { QueuedTask, TaskQueue, TaskWorker } from './inbox/task-queue.js'
export { createInvoice, type InvoiceOptions } from './invoices/create-invoice.js'
export type { Decision, DecisionKind, DecisionOf } from './orders/decision.js'
export { RepositoryError, RuleError } from './orders/errors.js'
export {
  memoryOrderRepository,
  type MemoryOrderRepository,
} from './orders/memory-order-repository.js'
export type {
  Order,
  OrderKey,
  OrderStatus,
  Payment,
  PaymentFailure,
  ReportSource,
} from './orders/order.js'
export {
  isTransferCompleted,
  parsePayload,
  type TransferData,
  type WebhookPayload,
} from './orders/payload.js'
export { isOrderKey } from './orders/order-key.js'
export type { PaymentProof, ProofVerdict, ProvenPayment } from './orders/payment-proof.js'
export type { OrderRepository, Transition } from './orders/repository.js'
export type { Rule } from './orders/rules.js'
export type { DecisionEvent } from './payments/decision-feed.js'
export type {
  ExtraPayment,
  FailedTransfer,
  Handler,
  HandlerContext,
  Handlers,
  MismatchedTransfer,
  PaidTransfer,
  UnknownOrder,
  UnverifiedTransfer,
} from './payments/events.js'
export type { PaymentsHealth } from './payments/health.js'
export type { PaymentsInstrumentation } from './payments/instrumentation.js'
export type { PaymentsOptions } from './payments/options.js'
export { createPayments, type Payments } from './payments/payments.js'
export { createTransferReport, type TransferReport } from './payments/report.js'
export { proposeRefund } from './refunds/propose-refund.js'
export { canonicalAddress } from './shared/address.js'
export { NATIVE_ASSET, canonicalAsset } from './shared/asset.js'
export { systemClock, type Clock } from './shared/clock.js'
export { ConfigurationError } from './shared/configuration-error.js'
export type { Invoice } from './shared/invoice.js'
export { consoleLogger, type Logger } from './shared/logger.js'
export { parseOptions } from './shared/options.js'
export { describeSettingMistake } from './shared/setting-mistake.js'
export { TonplugError, isTonplugError } from './shared/tonplug-error.js'
export { formatUnits, toUnits } from './shared/units.js'
export { withJson } from './shared/with-json.js'
export type { WatcherCursor } from './watcher/cursor.js'
export type { WatcherHealth } from './watcher/health.js'
export type { PaymentWatcherOptions } from './watcher/options.js'
export { createPaymentWatcher, type PaymentWatcher } from './watcher/payment-watcher.js'
export { createPaymentProof } from './watcher/proof/payment-proof.js'
export type { WatchReport } from './watcher/watch-report.js'
export { answerRefusal, type Answer, type Refusal } from './webhook/answer.js'
export { BodyTooLargeError, RawBodyUnavailableError } from './webhook/errors.js'
export { WEBHOOK_DEFAULTS, type WebhookReceiverOptions } from './webhook/options.js'
export { readNodeBody } from './webhook/read-body.js'
export { createWebhookReceiver, type WebhookReceiver } from './webhook/receiver.js'
export { readHeader, type BodyReader, type WebhookRequest } from './webhook/request.js'
export type { SecretResolver } from './webhook/secrets.js'
export { verifySignature } from './webhook/signature.js'
