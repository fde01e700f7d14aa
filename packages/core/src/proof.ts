export { readCells, readCellTree } from './proof/read-cells.js'
export { hashOf, type ProofCell } from './proof/cell.js'
export type { CellKind } from './shared/cells/cell.js'
export { ProofError, type ProofProblem } from './proof/proof-error.js'
export {
  readTransaction,
  type ProvenTransaction,
  type TransactionDescription,
  type TransactionId,
} from './proof/transaction.js'
export type { InternalMessage, ProvenMessage } from './proof/message.js'
export { proveHistory, type HistoryRange, type ProvenHistory } from './proof/transaction-chain.js'
export type { TonplugError, TonplugErrorFacts } from './shared/tonplug-error.js'
export {
  checkedCells,
  type CellReaderClient,
  type CheckedCellsOptions,
} from './payments/watcher/proof/checked-cells.js'
export type {
  ShownMessage,
  ShownCredit,
  CreditWitness,
  WitnessVerdict,
} from './payments/watcher/proof/credit-witness.js'
export {
  followLinks,
  type ProvenBlocks,
  type SignedBlock,
  type TrustedBlock,
} from './proof/block-links.js'
export type { BlockId } from './proof/block-id.js'
export { signedBlocks, type SignedBlocksOptions } from './payments/watcher/proof/signed-blocks.js'
export type { Liteserver, LiteserverCallOptions } from './proof/liteserver.js'
export type { AnchorStore, NetworkAccount } from './proof/anchor-store.js'
export { MAINNET_KEY_BLOCK } from './proof/mainnet-key-block.js'
export type { OwnedJettonWallet } from './proof/jetton-wallet.js'
export type { Clock, TimerOptions } from './shared/clock.js'
export {
  proveAccount,
  type AccountId,
  type AccountProof,
  type ProvenAccount,
} from './proof/account-state.js'
