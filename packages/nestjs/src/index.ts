export { orderEvents } from './order-events.js'
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
} from './tonplug.options.js'
export {
  getInvoicesToken,
  getPaymentsToken,
  getReceiverToken,
  getV2Token,
  getV3Token,
  getWatcherToken,
  InjectInvoices,
  InjectPayments,
  InjectReceiver,
  InjectV2,
  InjectV3,
  InjectWatcher,
} from './tonplug.tokens.js'
export { InvoiceService, V2Service, V3Service } from './services.js'
export type { InvoiceRequest } from './services.js'
export {
  OnExtraPayment,
  OnTransferFailed,
  OnTransferMismatch,
  OnTransferPaid,
  OnTransferUnverified,
  OnUnknownOrder,
} from './payments/handlers.decorators.js'
export type { HandlerDecorator, HandlerOptions } from './payments/handlers.decorators.js'
export { WebhookController } from './webhook/webhook-controller.decorator.js'
export type { WebhookControllerOptions } from './webhook/webhook-controller.decorator.js'
