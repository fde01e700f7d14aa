export type {
  Clients,
  ClientsOptions,
  InvoiceRequest,
  InvoiceWithOffersRequest,
} from '@tonplug/core/bridge'
export { tonplugClients } from './clients-middleware.js'
export { tonplugHealth, type HealthSource } from './health-middleware.js'
export { keepRawBody } from './keep-raw-body.js'
export {
  orderStatusStream,
  type OrderStatusStreamOptions,
  type Next,
} from './order-status-stream.js'
export { tonplugWebhook, type ExpressRequest, type ExpressHandler } from './webhook-middleware.js'
export type { RoutedRequest } from './is-own-path.js'
