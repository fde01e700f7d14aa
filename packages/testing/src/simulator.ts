export {
  createChainSimulator,
  type ChainSimulator,
  type ChainSimulatorOptions,
} from './chain/chain-simulator.js'
export type { ChainBlock } from './chain/block.js'
export type { ChainSnapshot } from './chain/chain-snapshot.js'
export type { Chain, ChainOptions } from './chain/chain.js'
export type { FaucetMessage } from './chain/faucet.js'
export {
  startApiServer,
  type ApiReply,
  type ApiRequest,
  type ApiServer,
  type Fault,
  type ServedApi,
} from './chain/http-server.js'
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
export type { JettonOptions, SimulatedJetton } from './chain/simulated-jetton.js'
export type { SimulatedWallet, WalletOptions, WalletVersion } from './chain/simulated-wallet.js'
export { base64Hash, readHash } from './chain/spellings.js'
export type { TransactionIndex } from './chain/transaction-index.js'
export type { V2Dialect } from './chain/v2/question.js'
export type { V3Server } from './chain/v3/server.js'
export { walletV4, walletV5, type SignedWallet } from './chain/wallets.js'
export type { PaymentMessageOptions } from './simulator/pay-transfer.js'
export {
  startSimulator,
  type ChainPayment,
  type PaidOnChain,
  type Simulator,
  type SimulatorOptions,
} from './simulator/start-simulator.js'
