export { createChain, MessageRejectedError, type Chain, type ChainBlock } from './chain/chain.js'
export {
  startHttpServer,
  type ApiReply,
  type ApiRequest,
  type Fault,
  type RunningServer,
} from './chain/http-server.js'
export { jettonMinter, mintBody, transferBody, type JettonMinter } from './chain/jetton.js'
export { messageCell } from './chain/message-hash.js'
export { rootOf, type RecordedTransaction } from './chain/recorded-transaction.js'
export { base64Hash, readHash } from './chain/spellings.js'
export { serveChain, type ServedChain } from './chain/served-chain.js'
export { startV2Server } from './chain/v2/server.js'
export { startV3Server, type V3Server } from './chain/v3/server.js'
export { walletV4, walletV5, type SignedWallet } from './chain/wallets.js'
