export { canonicalAddress, parseAddress, type Address } from './address/address.js'

export { AddressError } from './errors/address.js'
export { ConfigurationError } from './errors/configuration.js'
export { RepositoryError } from './errors/repository.js'
export { isTonplugError, TonplugError, type TonplugErrorFacts } from './errors/tonplug-error.js'
export {
  BodyIncompleteError,
  BodyTooLargeError,
  PayloadError,
  RawBodyUnavailableError,
  RuleError,
  WebhookError,
  type PayloadIssue,
} from './errors/webhook.js'

export type {
  ExtraPayment,
  FailedTransfer,
  Handler,
  HandlerContext,
  HandlerEvent,
  HandlerEvents,
  Handlers,
  MismatchedTransfer,
  PaidTransfer,
  UnmatchedTransfer,
} from './inbox/handlers.js'
export type {
  DeadHandlerTask,
  Delivery,
  DeliveryState,
  HandlerOutcome,
  HandlerTask,
  Inbox,
  NewDelivery,
  NewHandlerTask,
} from './inbox/inbox.js'
export { memoryInbox } from './inbox/memory-inbox.js'

export { canonicalAsset, NATIVE_ASSET } from './orders/asset.js'
export type {
  AmountMismatchDecision,
  AssetMismatchDecision,
  Decision,
  DecisionKind,
  DuplicateDecision,
  ExtraPaymentDecision,
  FailedDecision,
  PaidAfterCancelDecision,
  PaidDecision,
  RecipientMismatchDecision,
  RejectedDecision,
  UnexpectedStatusDecision,
  UnmatchedDecision,
} from './orders/decision.js'
export { memoryOrderRepository, type MemoryOrderRepository } from './orders/memory-repository.js'
export type { Order, OrderStatus, Payment, PaymentFailure } from './orders/order.js'
export type { OpenOrdersQuery, OrderRepository, Transition } from './orders/repository.js'
export type { AcceptAmount, Rule } from './orders/rules.js'

export { systemClock, type Clock } from './runtime/clock.js'
export { consoleLogger, type LogFields, type Logger } from './runtime/logger.js'

export { answerRefusal } from './webhook/answer.js'
export type { Answer, AnswerPolicy, Refusal, RefusalKind } from './webhook/answer.js'
export type { DecisionEvent, DecisionListener } from './webhook/decision-feed.js'
export {
  DEADLINE_MS,
  MAX_BODY_BYTES,
  SIGNATURE_HEADERS,
  type HandlerRetryOptions,
  type WebhookReceiverOptions,
} from './webhook/options.js'
export {
  isTransferCompleted,
  parsePayload,
  type OpaquePayload,
  type TransferCompletedPayload,
  type TransferData,
  type WebhookPayload,
} from './webhook/payload.js'
export { readNodeBody, type NodeReadable } from './webhook/read-body.js'
export {
  createWebhookReceiver,
  type ReceiverStats,
  type WebhookReceiver,
} from './webhook/receiver.js'
export {
  readHeader,
  type BodyReader,
  type WebhookHeaders,
  type WebhookRequest,
} from './webhook/request.js'
export type { NamedSecret, SecretResolver, Secrets } from './webhook/secrets.js'
export {
  verifySignature,
  type SignatureCheck,
  type SignatureEncoding,
} from './webhook/signature.js'
