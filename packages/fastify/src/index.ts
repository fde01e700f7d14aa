export type {
  Clients,
  ClientsOptions,
  InvoiceRequest,
  InvoiceWithOffersRequest,
} from '@tonplug/core/bridge'
export type { DeskMount } from './desk.js'
export type { HealthSource } from './health.js'
export type { TonplugFastifyOptions } from './options.js'
export type { OrderStatusStreamRoute } from './order-status-stream.js'
export { tonplugFastify, tonplugFastify as default } from './plugin.js'
export type { TonplugClients } from './decorate-clients.js'
