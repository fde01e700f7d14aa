export { observeRows } from './observe-rows.js'
export type { Rows } from './observe-rows.js'
export { TonplugModule } from './tonplug.module.js'
export type {
  TonplugModuleAsyncOptions,
  ReconcileOptions,
  TonplugModuleOptions,
  TonplugOptions,
  TonplugOptionsFactory,
  TonplugStaticOptions,
  VerifyOnChainOptions,
  WebhookOptions,
} from './tonplug.options.js'
export {
  getReceiverToken,
  getReconcilerToken,
  getTransferToken,
  getV2Token,
  getV3Token,
  InjectReceiver,
  InjectReconciler,
  InjectTransfers,
  InjectV2,
  InjectV3,
} from './tonplug.tokens.js'
export { TransferService } from './transfer.service.js'
export { TransferEvents } from './transfer-events.js'
export type { TransferEventsQuery } from './transfer-events.js'
export { V2Service } from './v2.service.js'
export { V3Service } from './v3.service.js'
export {
  OnExtraPayment,
  OnLostWebhook,
  OnOverpaid,
  OnPaidEarly,
  OnPaidLate,
  OnPaidTwice,
  OnTransferFailed,
  OnTransferMismatched,
  OnTransferPaid,
  OnTransferUnmatched,
  OnTransferUnverified,
  OnUnderpaid,
  OnWrongAsset,
} from './webhook/handlers.decorators.js'
export type { HandlerDecorator, HandlerOptions } from './webhook/handlers.decorators.js'
export { Transfer, WebhookDecision, WebhookOrder } from './webhook/parameters.decorators.js'
export { SignatureGuard } from './webhook/signature.guard.js'
export { WebhookController } from './webhook/webhook-controller.decorator.js'
export type { WebhookControllerOptions } from './webhook/webhook-controller.decorator.js'
