export { canonicalAddress, parseAddress, type Address } from './address/address.js'

export { AddressError } from './errors/address.js'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  HistoryNotAvailableError,
  LiteserverNotReadyError,
  MessageRejectedError,
  NotFoundError,
  ResponseShapeError,
  ServerError,
  ValidationError,
  WrongNetworkError,
  type ApiErrorDetails,
  type MessageRejectedErrorDetails,
  type ResponseShapeErrorDetails,
} from './errors/api.js'
export { ConfigurationError } from './errors/configuration.js'
export {
  HttpStatusError,
  LimiterError,
  NetworkError,
  RateLimitError,
  ResponseTooLargeError,
  TimeoutError,
  TransportError,
  type CallFacts,
  type HttpStatusErrorDetails,
  type NetworkErrorDetails,
  type RateLimitErrorDetails,
  type RequestPhase,
  type ResponseTooLargeErrorDetails,
  type TimeoutErrorDetails,
} from './errors/http.js'
export { GetMethodError, type GetMethodErrorDetails } from './errors/get-method.js'
export {
  InvalidParamsError,
  type InvalidParamsErrorDetails,
  type ParamsIssue,
} from './errors/params.js'
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

export type { Cursor } from './paging/cursor.js'
export type { Iterate } from './paging/iterate.js'
export type { Position } from './paging/strategy.js'
export type { Walk, WalkOptions } from './paging/walk.js'

export { systemClock, type Clock } from './runtime/clock.js'
export { consoleLogger, type LogFields, type Logger } from './runtime/logger.js'

export { answerRefusal } from './webhook/answer.js'
export type { Answer, AnswerPolicy, Refusal, RefusalKind } from './webhook/answer.js'

export type { HashLike } from './schema/hash.js'
export type { AddressLike, BigintLike, BocLike, TimeLike } from './schema/params.js'
export type { ParamsSchema } from './schema/params-object.js'

export { classifyByStatus } from './transport/answers.js'
export type { Network } from './transport/base-url.js'
export type {
  DriftEvent,
  FailureEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  TransportHooks,
  WaitEvent,
} from './transport/hooks.js'
export {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
} from './transport/limiter.js'
export type {
  Fetch,
  FetchInit,
  FetchResponse,
  RequestOptions,
  RetryOptions,
  TransportOptions,
} from './transport/options.js'
export type { Priority } from './transport/priority.js'
export {
  createRedisRateLimiter,
  type RedisEval,
  type RedisRateLimiterOptions,
} from './transport/redis-limiter.js'
export {
  createTransport,
  type Classified,
  type HttpAnswer,
  type ResponseMeta,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport/transport.js'
export type { SlotRequest } from './transport/waiting-line.js'

export type { V2RequestOptions, V2ResponseMeta } from './v2/call.js'
export {
  createV2Client,
  type V2Client,
  type V2ClientOptions,
  type V2Method,
  type V2Methods,
  type V2Parameters,
  type V2Result,
} from './v2/client.js'
export type { Endpoint, ParametersOf, ResultOf } from './v2/endpoint.js'
export { v2Endpoints, type V2EndpointName, type V2Endpoints } from './v2/endpoints/table.js'
export type { V2Iterates } from './v2/paging.js'
export type { QueryValue, V2Request } from './v2/request.js'
export type { StackArgument, StackItem } from './v2/stack.js'

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
