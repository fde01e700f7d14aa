export type { ConfirmedMessage } from './chain/confirm-message.js'
export {
  ConfirmationError,
  ConfirmationInterruptedError,
  ConfirmationTimeoutError,
  MessageExpiredError,
} from './chain/confirmation-errors.js'
export {
  describeTrace,
  type AccountChange,
  type NativeTransfer,
  type TraceDescription,
  type Transfer,
} from './chain/describe-trace.js'
export type { TraceFailure, TraceVerdict } from './chain/trace-outcome.js'
export type { TraceMetadata } from './chain/find-trace.js'
export type { Comment } from './chain/message-body.js'
export type { MessageSender } from './chain/message-sender.js'
export type { MessageStatus } from './chain/trace-state.js'
export { jettonDecimals } from './chain/jetton-decimals.js'
export { normalizedHash } from './chain/normalized-hash.js'
export { createSendCheckpoint, type SendCheckpoint } from './chain/send-checkpoint.js'
export { sendAndWait, type SendClients, type SendOptions } from './chain/send-and-wait.js'
export type { JettonTransfer, NftTransfer } from './chain/token-transfers.js'
export type { TraceMessage, TransferOutcome } from './chain/trace-messages.js'
export { waitForMessage } from './chain/wait-for-message.js'
export type { ChainReader, MessageProgress, WaitOptions } from './chain/wait-options.js'
export { GetMethodError } from './toncenter/endpoint/get-method.js'
export type { StackArgument, StackItem } from './toncenter/endpoint/stack.js'
export {
  ApiError,
  InvalidParamsError,
  MessageRejectedError,
  ResponseShapeError,
} from './toncenter/errors/api.js'
export { CallError } from './toncenter/errors/call-error.js'
export {
  HttpStatusError,
  OutcomeUnknownError,
  RateLimitError,
  RequestTimeoutError,
  TransportError,
} from './toncenter/errors/http.js'
export type { CreatedTransfer } from './toncenter/gateway/created-transfer.js'
export type { NewTransfer } from './toncenter/gateway/new-transfer.js'
export {
  createTransferClient,
  type TransferClient,
  type TransferClientOptions,
} from './toncenter/gateway/transfer-client.js'
export type { TransferStatus } from './toncenter/gateway/transfer-status.js'
export type { Cursor } from './toncenter/paging/cursor.js'
export type { Paginator, PaginateOptions } from './toncenter/paging/paginator.js'
export type { HashLike, AddressLike, BocLike } from './toncenter/schema/params.js'
export type { StreamEvent } from './toncenter/stream/events.js'
export { createStream, type Stream } from './toncenter/stream/stream.js'
export type { RequestOptions } from './toncenter/transport/call-options.js'
export type { TransportHooks, TransportInstrumentation } from './toncenter/transport/hooks.js'
export type { Fetch, TransportOptions } from './toncenter/transport/options.js'
export { createRateLimiter, type RateLimiter } from './toncenter/transport/rate-limiter.js'
export { createRedisRateLimiter } from './toncenter/transport/redis-limiter.js'
export type {
  ResponseMeta,
  TransportRequest,
  TransportResponse,
} from './toncenter/transport/request.js'
export type { Network } from './toncenter/transport/servers.js'
export { createTransport, type Transport } from './toncenter/transport/transport.js'
export type { V2RequestOptions, V2ResponseMeta } from './toncenter/v2/call.js'
export {
  createV2Client,
  type V2Client,
  type V2ClientOptions,
  type V2Parameters,
  type V2Result,
} from './toncenter/v2/client.js'
export { v2Health, type V2Health, type V2HealthOptions } from './toncenter/v2/health.js'
export { v2Endpoints, type V2EndpointName } from './toncenter/v2/endpoints/table.js'
export type { V3RequestOptions } from './toncenter/v3/call.js'
export {
  createV3Client,
  type V3Client,
  type V3ClientOptions,
  type V3Parameters,
  type V3Result,
} from './toncenter/v3/client.js'
export { v3Endpoints, type V3EndpointName } from './toncenter/v3/endpoints/table.js'
export type { BlockWatchOptions, MasterchainBlock } from './toncenter/v3/watch/block-watch.js'
export { NotFinalError, UnreadableRowError } from './toncenter/v3/watch/errors.js'
export type { Watch, WatchOptions } from './toncenter/v3/watch/watch.js'
export type { RowWatch, RowWatchOptions } from './toncenter/v3/watch/row-watch.js'
export type { Action as V3Action } from './toncenter/v3/schemas/action.js'
export type { Trace as V3Trace } from './toncenter/v3/schemas/trace.js'
export type { Transaction as V3Transaction } from './toncenter/v3/schemas/transaction.js'
export { AddressError } from './shared/address.js'
export { systemClock, type Clock } from './shared/clock.js'
export { ConfigurationError } from './shared/configuration-error.js'
export { isTonplugError, TonplugError } from './shared/tonplug-error.js'
