// Parts of the simulated liteserver, for tests of what reads its answers. Not for apps: it may change in any release.
export type { NetworkAccount } from './liteserver/blocks.js'
export { merkleProof, toBoc, withhold, withholding } from './liteserver/boc.js'
export { createChainLiteserver, type ChainLiteserver } from './liteserver/chain-liteserver.js'
export {
  configProof,
  headerProof,
  partialBlockProof,
  SignedNetwork,
  stateHeaderProof,
  type AccountAnswer,
  type LinkParts,
  type MasterBlock,
  type NextBlock,
} from './liteserver/signed-network.js'
export { tlBlockId, tlBytes, tlInt } from './liteserver/tl.js'
export {
  createValidators,
  shortListHash,
  signBlock,
  validatorSet,
  type NetworkValidator,
} from './liteserver/validators.js'
