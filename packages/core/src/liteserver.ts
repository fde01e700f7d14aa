export {
  connectLiteserver,
  type ConnectedLiteserver,
  type LiteserverOptions,
} from './liteserver/connect-liteserver.js'
export type { LiteserverAddress } from './liteserver/adnl-connection.js'
export { LiteserverError } from './liteserver/liteserver-error.js'
export { fileAnchors } from './liteserver/file-anchors.js'
export type { Liteserver, LiteserverCallOptions } from './proof/liteserver.js'
export type { AnchorStore } from './proof/anchor-store.js'
export type { AccountId } from './proof/account-state.js'
export type { BlockId } from './proof/block-id.js'
export type { TrustedBlock } from './proof/block-links.js'
export type { TransactionId } from './proof/transaction.js'
export type { TonplugError, TonplugErrorFacts } from './shared/tonplug-error.js'
