export type { ConfirmedMessage } from './toncenter/chain/confirm-message.js'
export {
  ConfirmationError,
  ConfirmationInterruptedError,
  ConfirmationTimeoutError,
  MessageExpiredError,
  type ConfirmationErrorDetails,
} from './toncenter/chain/confirmation-errors.js'
export {
  parseTrace,
  type AccountChange,
  type NativeTransfer,
  type ParsedTrace,
  type Transfer,
} from './toncenter/chain/parse-trace.js'
export type { TraceFailure, TraceVerdict } from './toncenter/chain/trace-outcome.js'
export type { TraceMetadata } from './toncenter/chain/find-trace.js'
export type { Comment } from './toncenter/chain/message-body.js'
export type { MessageSender } from './toncenter/chain/message-sender.js'
export type { MessageStatus } from './toncenter/chain/trace-state.js'
export { jettonDecimals, type MetadataReader } from './toncenter/chain/jetton-decimals.js'
export { normalizedHash } from './toncenter/chain/normalized-hash.js'
export { createSendCheckpoint, type SendCheckpoint } from './toncenter/chain/send-checkpoint.js'
export { sendAndWait, type SendClients, type SendOptions } from './toncenter/chain/send-and-wait.js'
export type {
  JettonTransfer,
  NftTransfer,
  TokenTransfer,
} from './toncenter/chain/token-transfers.js'
export type { TraceMessage, TransferOutcome } from './toncenter/chain/trace-messages.js'
export { waitForMessage } from './toncenter/chain/wait-for-message.js'
export type { ChainReader, MessageProgress, WaitOptions } from './toncenter/chain/wait-options.js'
export { GetMethodError, type GetMethodErrorDetails } from './toncenter/endpoint/get-method.js'
export type { StackArgument, StackItem } from './toncenter/endpoint/stack.js'
export {
  ApiError,
  InvalidParamsError,
  MessageRejectedError,
  ResponseShapeError,
  type ApiErrorCode,
  type InvalidParamsErrorDetails,
  type MessageRejectedErrorDetails,
  type ParamsIssue,
  type RefusalDetails,
  type ResponseShapeErrorDetails,
} from './toncenter/errors/api.js'
export { CallError, type CallFacts } from './toncenter/errors/call-error.js'
export {
  HttpStatusError,
  OutcomeUnknownError,
  RateLimitError,
  RequestTimeoutError,
  TransportError,
  type HttpStatusErrorDetails,
  type OutcomeUnknownErrorDetails,
  type RateLimitErrorDetails,
  type RequestTimeoutErrorDetails,
  type TransportErrorCode,
  type TransportErrorDetails,
  type RequestPhase,
} from './toncenter/errors/http.js'
export type { CreatedTransfer, CreatedFields } from './toncenter/gateway/created-transfer.js'
export type { NewTransfer } from './toncenter/gateway/new-transfer.js'
export {
  createTransferClient,
  type TransferClient,
  type TransferClientOptions,
  type TransferRequestOptions,
} from './toncenter/gateway/transfer-client.js'
export type { TransferStatus, TransferState } from './toncenter/gateway/transfer-status.js'
export type { Cursor, Position } from './toncenter/paging/cursor.js'
export type { Paginator, PaginateOptions, Paginate } from './toncenter/paging/paginator.js'
export type {
  HashLike,
  AddressLike,
  BocLike,
  AccountHashLike,
  BigintLike,
  TimeLike,
} from './toncenter/schema/params.js'
export type {
  StreamEvent,
  ChainEvent,
  SubscriptionEvent,
  EventType,
  Finality,
  StreamTraceNode,
  TraceFacts,
} from './toncenter/stream/events.js'
export { createStream, type Stream } from './toncenter/stream/stream.js'
export type { RequestOptions, Priority } from './toncenter/transport/call-options.js'
export type {
  TransportHooks,
  TransportInstrumentation,
  AttemptEnd,
  AttemptEvent,
  FailureEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WaitEvent,
} from './toncenter/transport/hooks.js'
export type {
  Fetch,
  TransportOptions,
  FetchInit,
  FetchResponse,
  RetryOptions,
} from './toncenter/transport/options.js'
export {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
  type SlotRequest,
} from './toncenter/transport/rate-limiter.js'
export type {
  ResponseMeta,
  TransportRequest,
  TransportResponse,
  Api,
  Classified,
  HttpResponse,
} from './toncenter/transport/request.js'
export type { Network } from './toncenter/transport/servers.js'
export { createTransport, type Transport } from './toncenter/transport/transport.js'
export type { V2RequestOptions, V2ResponseMeta } from './toncenter/v2/call.js'
export {
  createV2Client,
  type V2Client,
  type V2ClientOptions,
  type V2Method,
  type V2Methods,
} from './toncenter/v2/client.js'
export type { V2EndpointName, V2Parameters, V2Result } from './toncenter/v2/endpoint-types.js'
export type * from './toncenter/v2/generated/types.js'
export { checkV2Health, type V2Health, type V2HealthOptions } from './toncenter/v2/health.js'
export type { V2Paginators } from './toncenter/v2/paginators.js'
export type { V3RequestOptions } from './toncenter/v3/call.js'
export {
  createV3Client,
  type V3Client,
  type V3ClientOptions,
  type V3Method,
  type V3Methods,
} from './toncenter/v3/client.js'
export type {
  V3EndpointName,
  V3Parameters,
  V3Result,
  V3Row,
} from './toncenter/v3/endpoint-types.js'
export type * from './toncenter/v3/generated/types.js'
export type {
  V3Paginate,
  V3PaginateParameters,
  V3Paginators,
} from './toncenter/v3/paging/paginators.js'
export type { V3Watch, V3Watches, V3WatchParameters } from './toncenter/v3/watches.js'
export type {
  BlockWatchOptions,
  MasterchainBlock,
  WatchBlocks,
} from './toncenter/v3/block-watch.js'
export {
  NotFinalError,
  UnreadableRowError,
  type NotFinalErrorDetails,
  type UnreadableRowErrorDetails,
} from './toncenter/follow/errors.js'
export type { Watch, WatchOptions } from './toncenter/follow/watch.js'
export type {
  PollOptions,
  RowWatch,
  RowWatchOptions,
  WatchRows,
} from './toncenter/follow/row-watch.js'
export { AddressError } from './shared/address.js'
export { systemClock, type Clock, type TimerOptions } from './shared/clock.js'
export { ConfigurationError } from './shared/configuration-error.js'
export { isTonplugError, TonplugError, type TonplugErrorFacts } from './shared/tonplug-error.js'
export type { Around } from './shared/instrumentation.js'
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
export type { ClientMethod, ClientOptions, SharedTransport } from './toncenter/endpoint/client.js'
export type { RawRequest, QueryValue } from './toncenter/endpoint/raw-request.js'
export type { EventSource, EventSelection } from './toncenter/follow/waker.js'
export type { RefusedParameter } from './toncenter/follow/watch-params.js'
export type {
  StreamOptions,
  WebSocketConstructor,
  WebSocketLike,
} from './toncenter/stream/options.js'
export type { StreamSubscription } from './toncenter/stream/subscription.js'
export type { HistoryFilter } from './toncenter/v2/account-history.js'
export type { BlockFilter } from './toncenter/v2/block-transactions.js'
export type { OpcodeLike, TonConnectMessage } from './toncenter/v3/params.js'
export type { V3StackArgument } from './toncenter/v3/stack.js'
export type { Logger } from './shared/logger.js'
