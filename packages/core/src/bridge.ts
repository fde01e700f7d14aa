// What a bridge to a web framework is built on. Apps import the bridge, or `@tonplug/core`.
export {
  createClients,
  type Clients,
  type ClientsOptions,
  type InvoiceRequest,
  type InvoiceWithOffersRequest,
  type WithoutSender,
} from './bridge/clients.js'
export { checkMethod, checkNames, checkOrderStatusStream } from './bridge/check-arguments.js'
export { drainRequest, type DrainableRequest } from './bridge/drain-request.js'
export { findNodeBody, type NodeBody, type NodeBodySources } from './bridge/find-node-body.js'
export { WebhookFailedError } from './bridge/webhook-failed-error.js'
export {
  createOrderStatusStreams,
  type OrderStatusRequest,
  type OrderStatusResponse,
  type OrderStatusStreams,
} from './bridge/order-status-streams.js'
export {
  createStatusStreams,
  type StatusMessages,
  type StatusStreams,
} from './bridge/status-streams.js'
export type { Frames } from './bridge/frames.js'
export type { PaymentStatus, PaymentStatusEvent } from './payments/engine/payment-status.js'
export type { AssetAmount } from './payments/orders/order.js'
export type {
  InvoiceOptions,
  InvoiceWithOffersOptions,
} from './payments/invoices/invoice-options.js'
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
export type { TonplugError, TonplugErrorFacts } from './shared/tonplug-error.js'
export type { TransferClient } from './toncenter/gateway/transfer-client.js'
export type { V2Client } from './toncenter/v2/client.js'
export type { V3Client } from './toncenter/v3/client.js'
export type { NodeReadable } from './payments/webhook/read-body.js'
export type { BodyReader } from './payments/webhook/request.js'
export type { InvoiceWithOffers } from './payments/invoices/invoice-with-offers.js'
export type { OrderKey } from './payments/orders/order.js'
export type { Payments } from './payments/engine/payments.js'
