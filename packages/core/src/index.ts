export { HANDLER_EVENTS, type HandlerEvent } from './payments/inbox/handler-event.js'
export type {
  InboxProcesses,
  Registration,
  RegistrationResult,
} from './payments/inbox/inbox-processes.js'
export type {
  NewReport,
  Report,
  DecisionRecord,
  InboxReports,
  OperatorAction,
  ParsedBody,
  RecordedAction,
  ReportFilter,
  ReportParts,
  ReportQuery,
  StoredDecision,
} from './payments/inbox/inbox-reports.js'
export { handlerTaskKey } from './payments/inbox/handler-task-key.js'
export type {
  Task,
  InboxTasks,
  NewTask,
  DeadLetter,
  DeadLetterFilter,
  RelayedTask,
  TaskOutcome,
  TaskProgress,
} from './payments/inbox/inbox-tasks.js'
export type {
  Inbox,
  JoinedOrders,
  JoinedTransition,
  InboxStats,
  InboxSums,
  SumOfCredits,
  SumOfPrices,
  SumsPeriod,
} from './payments/inbox/inbox.js'
export type {
  EndedOrder,
  CreditClaim,
  CreditPlace,
  CreditPeriod,
  CreditQuery,
  CreditUse,
  InboxCredits,
  NamedOrder,
  WalletCreditQuery,
  NewCredit,
  RefundRelease,
  LostUse,
  StoredCredit,
} from './payments/inbox/inbox-credits.js'
export { memoryInbox } from './payments/inbox/memory-inbox.js'
export type { QueuedTask, TaskQueue, TaskWorker, TaskRetry } from './payments/inbox/task-queue.js'
export { cachedRates, type CachedRatesOptions } from './payments/invoices/cached-rates.js'
export { createInvoice } from './payments/invoices/create-invoice.js'
export type {
  InvoiceOptions,
  InvoiceWithOffersOptions,
  CommonOptions,
} from './payments/invoices/invoice-options.js'
export type { InvoiceWithOffers } from './payments/invoices/invoice-with-offers.js'
export type { PayableOffer } from './payments/invoices/payable-offer.js'
export { priceToUnits } from './payments/invoices/price-to-units.js'
export { restInvoice, type RestInvoiceOptions } from './payments/invoices/rest-invoice.js'
export { RateError, type RateProblem } from './payments/invoices/rate-error.js'
export type { Rate, RateBounds, Rates } from './payments/invoices/rates.js'
export type { Credit, RouteMessage } from './payments/ledger/credit.js'
export type {
  AcceptedPayment,
  Decision,
  DecisionKind,
  DecisionOf,
} from './payments/orders/decision.js'
export { RepositoryError, RuleError } from './payments/orders/errors.js'
export {
  memoryOrderRepository,
  type MemoryOrderRepository,
  type MemoryOrderRepositoryOptions,
} from './payments/orders/memory-order-repository.js'
export type { AmountRule, Amounts, AmountsPolicy, LateRule } from './payments/orders/amounts.js'
export type { FittedOffer, Offer, OfferRate } from './payments/orders/offer.js'
export type {
  AssetAmount,
  Order,
  OrderKey,
  OrderStatus,
  Payment,
  PaymentFailure,
  ReceivedAmount,
  ReportSource,
} from './payments/orders/order.js'
export {
  isTransferCompleted,
  parsePayload,
  type TransferData,
  type WebhookPayload,
} from './payments/orders/payload.js'
export {
  offersFromJson,
  orderFromJson,
  orderToJson,
  type Json,
} from './payments/orders/order-json.js'
export { isOrderKey } from './payments/orders/order-key.js'
export type {
  PaymentVerifier,
  VerificationResult,
  VerifiedPayment,
  PaymentClaim,
} from './payments/ledger/payment-verifier.js'
export type { Unproven } from './payments/orders/unproven.js'
export type {
  OpenOrdersQuery,
  OrderListQuery,
  OrderPage,
  OrderRepository,
  Transition,
} from './payments/orders/repository.js'
export type { AcceptedMoney, Rule, RuleContext } from './payments/orders/rules.js'
export type { MismatchDecision } from './payments/engine/decision-table.js'
export type { DecisionEvent, DecisionListener } from './payments/engine/decision-feed.js'
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
  HandlerEvents,
} from './payments/engine/events.js'
export type { PaymentsHealth, PaymentsHealthOptions } from './payments/engine/health.js'
export type {
  PaymentsInstrumentation,
  DeliveryEnd,
  DeliveryEvent,
  HandlerRunEnd,
  BooksEvent,
  HandlerRunEvent,
  WatchedPayments,
} from './payments/engine/instrumentation.js'
export type { PaymentsOptions, HandlerRetryOptions } from './payments/engine/options.js'
export type { PaymentsInternals } from './payments/engine/internals.js'
export { createPayments, type Payments } from './payments/engine/payments.js'
export { createTransferReport, type TransferReport } from './payments/engine/report.js'
export { canonicalAddress, friendlyAddress, type AddressFlags } from './shared/address.js'
export { NATIVE_ASSET, canonicalAsset } from './shared/asset.js'
export { systemClock, type Clock, type TimerOptions } from './shared/clock.js'
export { ConfigurationError } from './shared/configuration-error.js'
export type { Invoice } from './shared/invoice.js'
export type { Payable, PayableJson } from './shared/payable.js'
export type {
  TonConnectItem,
  TonConnectItems,
  PayerMessage,
  TonConnectMessages,
  UnstampedItems,
} from './shared/ton-connect-request.js'
export type { ConnectRequests, TonConnect, TonConnectOptions } from './shared/ton-connect.js'
export type { WalletLinks } from './shared/wallet-links.js'
export { consoleLogger, type Logger } from './shared/logger.js'
export { describeSettingMistake } from './shared/setting-mistake.js'
export { TonplugError, isTonplugError, type TonplugErrorFacts } from './shared/tonplug-error.js'
export { formatUnits, toUnits } from './shared/units.js'
export { withJson } from './shared/with-json.js'
export type { CursorStore } from './payments/watcher/cursor.js'
export type { WatcherHealth, WatcherHealthOptions } from './payments/watcher/health.js'
export type {
  PaymentWatcherOptions,
  MatchKey,
  TransferReader,
  WatchReader,
  WatchingPayments,
} from './payments/watcher/options.js'
export { createPaymentWatcher, type PaymentWatcher } from './payments/watcher/payment-watcher.js'
export {
  createPaymentVerifier,
  type PaymentSource,
  type PaymentVerifierOptions,
  type ProofReader,
} from './payments/watcher/proof/payment-verifier.js'
export type {
  CreditWitness,
  ShownCredit,
  ShownMessage,
  WitnessVerdict,
} from './payments/watcher/proof/credit-witness.js'
export type { PartReader } from './payments/watcher/proof/trace-parts.js'
export type { TraceSource } from './payments/watcher/proof/trace-reader.js'
export type { WatchReport } from './payments/watcher/watch-report.js'
export type { WebhookResponse, Rejection } from './payments/webhook/response.js'
export {
  BodyTooLargeError,
  RawBodyUnavailableError,
  type WebhookError,
} from './payments/webhook/errors.js'
export {
  WEBHOOK_DEFAULTS,
  type WebhookReceiverOptions,
  type ReceivingPayments,
} from './payments/webhook/options.js'
export { readLambdaEvent, type LambdaHttpEvent } from './payments/webhook/lambda-event.js'
export { readNodeBody, type NodeReadable } from './payments/webhook/read-body.js'
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type DeliveryCounts,
} from './payments/webhook/receiver.js'
export {
  readHeader,
  type BodyReader,
  type WebhookRequest,
  type WebhookHeaders,
} from './payments/webhook/request.js'
export type {
  SecretResolver,
  MerchantSecrets,
  Secrets,
  NamedSecret,
} from './payments/webhook/secrets.js'
export {
  verifySignature,
  type SignatureCheck,
  type SignatureEncoding,
} from './payments/webhook/signature.js'
export type { InvoiceReader } from './payments/invoices/payment-message.js'
export type { Around } from './shared/instrumentation.js'
export type { Stream } from './toncenter/stream/stream.js'
export type { WatchProgress } from './payments/watcher/run-state.js'
export type { Period } from './payments/watcher/wallet-lists.js'
export type { RawBytes } from './payments/webhook/raw-bytes.js'
export type { RuleVerdict, DecideContext } from './payments/orders/decide.js'
export type { PaymentStatus, PaymentStatusEvent } from './payments/engine/payment-status.js'
export type { TransferClient } from './toncenter/gateway/transfer-client.js'
export type { V3Client } from './toncenter/v3/client.js'
