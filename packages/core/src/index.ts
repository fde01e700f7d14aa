export { canonicalAddress, parseAddress, type Address } from './address/address.js'

export type { Endpoint, ParametersOf, ResultOf } from './endpoint/endpoint.js'
export type { QueryValue } from './endpoint/query.js'
export type { StackArgument, StackItem } from './endpoint/stack.js'

export { AddressError } from './errors/address.js'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  DuplicateMessageError,
  HistoryNotAvailableError,
  LiteserverNotReadyError,
  MessageRejectedError,
  NotFoundError,
  ResponseShapeError,
  ServerError,
  UnknownMethodError,
  ValidationError,
  WrongNetworkError,
  type ApiErrorDetails,
  type MessageRejectedErrorDetails,
  type ResponseShapeErrorDetails,
} from './errors/api.js'
export { ConfigurationError } from './errors/configuration.js'
export {
  ConfirmationError,
  ConfirmationInterruptedError,
  ConfirmationTimeoutError,
  MessageExpiredError,
  type ConfirmationErrorDetails,
} from './errors/confirmation.js'
export {
  NotFinalError,
  UnreadableRowError,
  type NotFinalErrorDetails,
  type UnreadableRowErrorDetails,
} from './errors/follow.js'
export {
  HttpStatusError,
  LimiterError,
  NetworkError,
  OutcomeUnknownError,
  RateLimitError,
  ResponseTooLargeError,
  TimeoutError,
  TransportError,
  type CallFacts,
  type HttpStatusErrorDetails,
  type NetworkErrorDetails,
  type OutcomeUnknownErrorDetails,
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
export type { TonplugErrorJson } from './errors/error-json.js'
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
  FindingEvents,
  FoundEvent,
  Handler,
  HandlerContext,
  HandlerEvent,
  HandlerEvents,
  Handlers,
  MismatchedTransfer,
  PaidTransfer,
  UnmatchedTransfer,
  UnverifiedTransfer,
} from './inbox/handlers.js'
export type {
  DeadHandlerTask,
  DeadTaskFilter,
  Delivery,
  DeliveryState,
  HandlerOutcome,
  HandlerTask,
  Inbox,
  InboxStats,
  NewDelivery,
  NewHandlerTask,
  StandingDecision,
  Verdict,
} from './inbox/inbox.js'
export type { JoinedOrders, JoinedTransition } from './inbox/joined-orders.js'
export { memoryInbox } from './inbox/memory-inbox.js'
export {
  createFoundTransferStore,
  type FoundTransferStoreOptions,
} from './inbox/found-transfer-store.js'
export type { FoundTransfer, FoundTransferTaker } from './inbox/settle-found.js'

export type { Instrumentation } from './instrumentation.js'

export type { JobListener, JobQueue, JobSubscription, WakeUp } from './jobs/job-queue.js'
export { memoryJobQueue } from './jobs/memory-job-queue.js'

export type { ConfirmedMessage } from './onchain/confirm-message.js'
export {
  describeTrace,
  type AccountChange,
  type NativeTransfer,
  type TraceDescription,
  type Transfer,
} from './onchain/describe-trace.js'
export type { TraceFailure, TraceVerdict } from './onchain/judge-trace.js'
export type { TraceMetadata } from './onchain/look-for-trace.js'
export type { Comment } from './onchain/message-body.js'
export type { MessageSender } from './onchain/message-sender.js'
export type { MessageStatus } from './onchain/message-status.js'
export { normalizedHash } from './onchain/normalized-hash.js'
export { createResumePoint, type ResumePoint } from './onchain/resume-point.js'
export { sendAndWait, type SendClients, type SendOptions } from './onchain/send-and-wait.js'
export type { JettonTransfer, NftTransfer } from './onchain/token-transfers.js'
export type { TraceMessage, TransferOutcome } from './onchain/trace-messages.js'
export { waitForMessage } from './onchain/wait-for-message.js'
export type { ChainReader, MessageProgress, WaitOptions } from './onchain/wait-options.js'

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
  PaidProof,
  RecipientMismatchDecision,
  RejectedDecision,
  UnexpectedStatusDecision,
  UnmatchedDecision,
  UnverifiedDecision,
  VerifyingDecision,
} from './orders/decision.js'
export { findingsOf, type Finding } from './orders/finding.js'
export { memoryOrderRepository, type MemoryOrderRepository } from './orders/memory-repository.js'
export type { Order, OrderStatus, Payment, PaymentFailure, PaymentSource } from './orders/order.js'
export type { OpenOrdersQuery, OrderRepository, Transition } from './orders/repository.js'
export type { AcceptAmount, Rule } from './orders/rules.js'

export type { Cursor } from './paging/cursor.js'
export type { Iterate } from './paging/iterate.js'
export type { Position } from './paging/strategy.js'
export type { Walk, WalkOptions } from './paging/walk.js'

export type { Around } from './runtime/around.js'
export {
  createPaymentProof,
  type PaymentClaim,
  type PaymentProof,
  type PaymentProofOptions,
  type ProofReader,
} from './proof/payment-proof.js'
export type {
  ProofVerdict,
  ProvenPayment,
  RefutedReason,
  UnsettledReason,
  UnverifiedReason,
} from './proof/verdict.js'

export type { ReconcileCursor } from './reconcile/cursor.js'
export type { ReconcilerHealth, ReconcilerHealthOptions } from './reconcile/health.js'
export type { MatchKey } from './reconcile/open-orders.js'
export type { ReconcilerOptions } from './reconcile/options.js'
export { createReconciler, type Reconciler, type ReconcilerStats } from './reconcile/reconciler.js'
export type { ReconcileReport } from './reconcile/report.js'
export type { ReconcileProgress } from './reconcile/run.js'
export type { ReconcileReader } from './reconcile/scan.js'

export { systemClock, type Clock } from './runtime/clock.js'
export { consoleLogger, type LogFields, type Logger } from './runtime/logger.js'

export { answerRefusal } from './webhook/answer.js'
export type { Answer, AnswerPolicy, Refusal, RefusalKind } from './webhook/answer.js'

export type { HashLike } from './schema/hash.js'
export type {
  AccountHashLike,
  AddressLike,
  BigintLike,
  BocLike,
  TimeLike,
} from './schema/params.js'
export type { ParamsSchema } from './schema/params-object.js'

export { classifyByStatus } from './transport/answers.js'
export { checkOptionNames } from './transport/option-names.js'
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
export type {
  AttemptEnd,
  AttemptEvent,
  TransportInstrumentation,
} from './transport/instrumentation.js'
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

export type { CreatedTransfer } from './transfers/created-transfer.js'
export type { NewTransfer } from './transfers/new-transfer.js'
export {
  createTransferClient,
  type TransferClient,
  type TransferClientOptions,
  type TransferRequestOptions,
} from './transfers/transfer-client.js'
export type { TransferState, TransferStatus } from './transfers/transfer-status.js'

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
export { v2Endpoints, type V2EndpointName, type V2Endpoints } from './v2/endpoints/table.js'
export type { V2Iterates } from './v2/paging.js'
export type { V2Request } from './v2/request.js'

export type { ActionType } from './v3/action-type.js'
export type { V3RequestOptions } from './v3/call.js'
export {
  createV3Client,
  type V3Client,
  type V3ClientOptions,
  type V3Method,
  type V3Methods,
  type V3Parameters,
  type V3Result,
} from './v3/client.js'
export { v3Endpoints, type V3EndpointName, type V3Endpoints } from './v3/endpoints/table.js'
export type { BlockFollowOptions, FollowBlocks } from './v3/follow/block-follow.js'
export type { Follow, FollowOptions } from './v3/follow/follow.js'
export type { FollowParameters, V3Follows } from './v3/follow/follows.js'
export type { MasterchainBlock } from './v3/follow/read-block.js'
export type { FollowRows, RowFollow, RowFollowOptions } from './v3/follow/row-follow.js'
export type { V3Iterates, WalkParameters } from './v3/paging/iterates.js'
export type { OpcodeLike } from './v3/params.js'
export type { V3Request } from './v3/request.js'
export type { Action as V3Action } from './v3/schemas/action.js'
export type { Trace as V3Trace } from './v3/schemas/trace.js'
export type { Transaction as V3Transaction } from './v3/schemas/transaction.js'
export type { V3StackArgument } from './v3/stack-params.js'

export type { DecisionEvent, DecisionListener } from './webhook/decision-feed.js'
export type {
  DeliveryEvent,
  HandlerRunEnd,
  HandlerRunEvent,
  ReceiverInstrumentation,
  WatchedReceiver,
} from './webhook/instrumentation.js'
export type { ReceiverHealth, ReceiverHealthOptions } from './webhook/health.js'
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
