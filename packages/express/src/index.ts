export { keepRawBody } from './keep-raw-body.js'
export type { KeepRawBodyOptions } from './keep-raw-body.js'
export { tonplugClients } from './clients-middleware.js'
export type {
  InvoiceRequest,
  Invoices,
  TonplugClients,
  TonplugClientsOptions,
} from './clients-middleware.js'
export { tonplugHealth, type HealthSource } from './health-middleware.js'
export type { ExpressRequest } from './raw-body.js'
export { tonplugOrderEvents, type OrderEventsOptions } from './order-events.js'
export { keepRawBodyInParser } from './keep-raw-body-in-parser.js'
export { WebhookFailedError } from './webhook-failed-error.js'
export { tonplugWebhook } from './webhook-middleware.js'
