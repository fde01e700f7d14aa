export {
  createChainSimulator,
  type ChainSimulator,
  type ChainSimulatorOptions,
} from './chain/chain-simulator.js'
export {
  MessageRejectedError,
  type Chain,
  type ChainBlock,
  type FaucetMessage,
} from './chain/chain.js'
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
export { rootOf, type RecordedTransaction } from './chain/recorded-transaction.js'
export type { JettonOptions, SimulatedJetton } from './chain/simulated-jetton.js'
export type { SimulatedWallet, WalletOptions, WalletVersion } from './chain/simulated-wallet.js'
export { base64Hash, readHash } from './chain/spellings.js'
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
