export { describeInbox } from './conformance/inbox.js'
export type { InboxHarness } from './conformance/inbox.js'
export { describeJobQueue } from './conformance/job-queue.js'
export type { JobQueueHarness } from './conformance/job-queue.js'
export { describeJoinedOrders } from './conformance/joined-orders.js'
export type { JoinedOrdersHarness } from './conformance/joined-orders.js'
export { describeOrderRepository } from './conformance/order-repository.js'
export type { OrderRepositoryHarness } from './conformance/order-repository.js'
export type { MakeHarness, TestRunner } from './conformance/runner.js'
export { describeWebhookAdapter } from './conformance/webhook-adapter.js'
export type { WebhookAdapterHarness } from './conformance/webhook-adapter.js'
export type { StandInAsset } from './gateway/assets.js'
export type { DeliveryAttempt, DeliveryFetch, LoggedAttempt } from './gateway/attempt.js'
export type { DeliveryReport } from './gateway/dispatcher.js'
export type { DeliverOptions } from './gateway/faults.js'
export { createGatewayStandIn } from './gateway/gateway-stand-in.js'
export type {
  GatewayStandIn,
  GatewayStandInOptions,
  Reporting,
} from './gateway/gateway-stand-in.js'
export type { HeldDeliveries } from './gateway/held-deliveries.js'
export type { TransferMessage } from './gateway/message.js'
export { findJettonWalletBy, watchNetwork } from './gateway/network-watch.js'
export type { NetworkWatch, NetworkWatchOptions } from './gateway/network-watch.js'
export { GatewayStandInError } from './gateway/stand-in-error.js'
export type {
  CreatedTransfer,
  NewTransfer,
  SimulatedFailure,
  SimulatedPayment,
  TransferStatus,
} from './gateway/transfer.js'
export { createManualClock } from './manual-clock.js'
export type { ManualClock, PendingTimer } from './manual-clock.js'
export { transferCompleted, transferFailed, transferRefunded } from './payloads.js'
export { recordingLogger } from './recording-logger.js'
export type { LogLine, RecordingLogger } from './recording-logger.js'
export { signPayload } from './sign.js'
export type { SignedPayload, SignOptions } from './sign.js'
