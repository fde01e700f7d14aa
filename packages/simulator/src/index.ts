export {
  createChainSimulator,
  type ChainSimulator,
  type ChainSimulatorOptions,
} from './chain-simulator.js'
export type { ChainBlock } from './chain/block.js'
export type { ChainSnapshot } from './chain/chain-snapshot.js'
export type { Chain, ChainOptions, GetMethodRun } from './chain/chain.js'
export type { FaucetMessage } from './chain/faucet.js'
export {
  startApiServer,
  type ApiReply,
  type ApiRequest,
  type ApiServer,
  type Fault,
  type ServedApi,
  type ConnectionServer,
  type Handler,
} from './server/http-server.js'
export {
  jettonMinter,
  mintBody,
  transferBody,
  type JettonMinter,
  type JettonTransfer,
} from './chain/jetton.js'
export { messageCell } from './chain/message-hash.js'
export { MessageRejectedError } from './chain/message-rejected-error.js'
export { rootOf, type RecordedTransaction } from './chain/recorded-transaction.js'
export type { JettonLies } from './chain/jetton-lies.js'
export type { JettonOptions, SimulatedJetton } from './chain/simulated-jetton.js'
export type {
  ConnectAnswer,
  ConnectOptions,
  PayOptions,
  SignedMessage,
  SimulatedWallet,
  WalletOptions,
  WalletVersion,
} from './chain/simulated-wallet.js'
export { base64Hash, readHash } from './shared/encodings.js'
export type { StreamFaults } from './stream/faults.js'
export type { StreamServer } from './stream/server.js'
export type { TransactionIndex } from './chain/transaction-index.js'
export type { V2Dialect } from './v2/method-call.js'
export type { V3Server } from './v3/server.js'
export type { PaymentItem, PaymentMessage, PaymentRequest } from './chain/payment-request.js'
export { walletV4, walletV5, type SignedWallet } from './chain/wallets.js'
export type { PaymentMessageOptions } from './payment-message.js'
export type { ChainPayment, ChainPaymentResult } from './pay-on-chain.js'
export {
  createLiteserver,
  type LiteserverCall,
  type SimulatedLiteserver,
  type SimulatedLiteserverOptions,
} from './liteserver/chain-liteserver.js'
export type { AccountAnswer } from './liteserver/signed-network.js'
export type { NetworkBlockId } from './liteserver/tl.js'
export type { SignatureForm } from './liteserver/validators.js'
export { createShopAccounts, type ShopAccounts } from './shop-accounts.js'
export { startSimulator, type Simulator, type SimulatorOptions } from './start-simulator.js'
export type { AccountView } from './chain/account-view.js'
export type { EmulationLimits } from './chain/ledger.js'
export type { AccountStates } from './chain/sandbox.js'
export type { WaitingMessage } from './chain/waiting-message.js'
export type { Finality } from './stream/subscription.js'
export type { StreamedEvent } from './stream/trace-update.js'
export type { Json } from './v3/json.js'
