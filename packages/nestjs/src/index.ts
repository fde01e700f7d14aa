export { observeRows } from './observe-rows.js'
export type { Rows } from './observe-rows.js'
export { TonplugModule } from './tonplug.module.js'
export type {
  TonplugModuleAsyncOptions,
  TonplugModuleOptions,
  TonplugOptions,
  TonplugOptionsFactory,
  TonplugPaymentsOptions,
  TonplugStaticOptions,
  TonplugWatcherOptions,
  TonplugWebhookOptions,
  VerifyOnChainOptions,
} from './tonplug.options.js'
export {
  getPaymentsToken,
  getReceiverToken,
  getTransferToken,
  getV2Token,
  getV3Token,
  getWatcherToken,
  InjectPayments,
  InjectReceiver,
  InjectTransfers,
  InjectV2,
  InjectV3,
  InjectWatcher,
} from './tonplug.tokens.js'
export { TransferService } from './transfer.service.js'
export { TransferEvents } from './transfer-events.js'
export type { TransferEventsQuery } from './transfer-events.js'
export { V2Service } from './v2.service.js'
export { V3Service } from './v3.service.js'
export {
  OnExtraPayment,
  OnTransferFailed,
  OnTransferMismatch,
  OnTransferPaid,
  OnTransferUnverified,
  OnUnknownOrder,
} from './payments/handlers.decorators.js'
export type { HandlerDecorator, HandlerOptions } from './payments/handlers.decorators.js'
export { Transfer, WebhookDecision, WebhookOrder } from './webhook/parameters.decorators.js'
export { SignatureGuard } from './webhook/signature.guard.js'
export { WebhookController } from './webhook/webhook-controller.decorator.js'
export type { WebhookControllerOptions } from './webhook/webhook-controller.decorator.js'
