export type { InvoiceRequest, InvoiceWithOffersRequest } from '@tonplug/core/bridge'
export { orderStatusStream } from './order-status-stream.js'
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
export { InvoiceService, V2Service, V3Service, type InvoiceDefaults } from './services.js'
export {
  OnExtraPayment,
  OnFailed,
  OnMismatch,
  OnPaid,
  OnUnverified,
  OnUnknownOrder,
} from './payments/handlers.decorators.js'
export type { HandlerDecorator, HandlerOptions } from './payments/handlers.decorators.js'
export { WebhookController } from './webhook/webhook-controller.decorator.js'
export type { WebhookControllerOptions } from './webhook/webhook-controller.decorator.js'
export type {
  TonplugInstance,
  TonplugInstances,
  InstancePart,
  InstanceParts,
  WithPart,
} from './instances.js'
