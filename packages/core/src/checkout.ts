export {
  createWalletRequests,
  type WalletRequests,
  type WalletRequestsOptions,
} from './checkout/wallet-requests.js'
export type { MarkLocks, MarkStorage } from './checkout/marks.js'
export type {
  ConnectedWallet,
  ItemsRequest,
  MessagesRequest,
  ShownPayment,
  WalletRequest,
} from './checkout/build-request.js'
