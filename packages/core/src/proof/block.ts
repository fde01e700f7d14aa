import { MASTERCHAIN, type BlockId } from './block-id.js'
import type { ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { openMerkleProof } from './merkle-proof.js'
import { demand } from './proof-error.js'

/** Header of a block, and the parts of the block that follow. */
export interface ProvenBlock {
  /** −239 for mainnet, −3 for testnet. */
  globalId: number
  isKeyBlock: boolean
  /** Unix seconds. */
  utime: number
  validatorListHash: number
  catchainSeqno: number
  stateUpdate: ProofCell
  extra: ProofCell
}

/**
 * Opens a proof of a block.
 * @throws {ProofError} when it proves another block than the id, or withholds the header.
 */
export function openBlock(proof: ProofCell, id: BlockId): ProvenBlock {
  const slice = new CellSlice(openMerkleProof(proof, id.rootHash))
  slice.tag(0x11ef55aa, 32, 'a block')
  const globalId = slice.int(32)
  const info = slice.open()
  slice.ref()
  const stateUpdate = slice.ref()
  const extra = slice.ref()
  slice.end()
  return { globalId, ...readInfo(info, id), stateUpdate, extra }
}

/** Reads `block_info`. The id that led to the block must be that of its header. */
function readInfo(info: CellSlice, id: BlockId) {
  info.tag(0x9bc7a987, 32, 'a block header')
  info.skip(32)
  const isShardBlock = info.bit()
  // after_merge, before_split, after_split, want_split, want_merge
  info.skip(5)
  const isKeyBlock = info.bit()
  info.skip(1 + 8)
  const seqno = info.uint(32)
  info.skip(32)
  const { workchain, shard } = readShard(info)
  const utime = info.uint(32)
  info.skip(64 + 64)
  const validatorListHash = info.uint(32)
  const catchainSeqno = info.uint(32)
  const isSame = seqno === id.seqno && workchain === id.workchain && shard === id.shard
  const isOfChain = isShardBlock === (workchain !== MASTERCHAIN)
  demand(isSame && isOfChain, 'mismatch', `the header is not of the block ${id.seqno}`)
  return { isKeyBlock, utime, validatorListHash, catchainSeqno }
}

/** Reads `ShardIdent`. */
export function readShard(slice: CellSlice): Pick<BlockId, 'workchain' | 'shard'> {
  slice.tag(0, 2, 'a shard')
  const prefixBits = BigInt(slice.uint(6))
  const workchain = slice.int(32)
  const prefix = slice.bigUint(64)
  demand(prefixBits <= 60n, 'unexpected_data', 'a shard has more than 60 bits')
  return { workchain, shard: prefix | (1n << (63n - prefixBits)) }
}

/** Returns the hash of the state after a block. It is stored in the update; the update's references are not needed. */
export function newStateHash({ stateUpdate }: ProvenBlock): Uint8Array {
  const isShown = stateUpdate.kind === 'merkle-update'
  demand(isShown, 'not_covered', 'the proof withholds the state update of the block')
  return stateUpdate.bytes.subarray(33, 65)
}

/**
 * Returns the configuration of a key block.
 * @throws {ProofError} for any other block, and when it is withheld.
 */
export function configOf({ extra, isKeyBlock }: ProvenBlock): ProofCell {
  demand(isKeyBlock, 'mismatch', 'the block that names the validators is not a key block')
  const blockExtra = new CellSlice(extra)
  blockExtra.tag(0x4a33f6fd, 32, 'the extra of a block')
  for (let ref = 0; ref < 3; ref++) blockExtra.ref()
  blockExtra.skip(256 + 256)
  const custom = blockExtra.maybeRef()
  demand(custom !== undefined, 'unexpected_data', 'a key block has no masterchain extra')
  const slice = new CellSlice(custom)
  slice.tag(0xcca5, 16, 'the masterchain extra')
  demand(slice.bit(), 'unexpected_data', 'a key block has no configuration')
  slice.maybeRef()
  // Fees of the shards: a dictionary with sums of collected and created coins.
  slice.maybeRef()
  for (let sum = 0; sum < 2; sum++) slice.currencies()
  slice.ref()
  slice.skip(256)
  return slice.ref()
}
