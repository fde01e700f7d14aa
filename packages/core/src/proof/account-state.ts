import type { BlockId } from './block-id.js'
import { MASTERCHAIN, WHOLE_SHARD } from './block-id.js'
import { newStateHash, openBlock, readShard } from './block.js'
import { areEqual, bitAt } from '../shared/bytes.js'
import { hashOf, type ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { lookUp, type LookUp } from './look-up.js'
import { openMerkleProof } from './merkle-proof.js'
import { demand, ProofError } from './proof-error.js'
import { readCells, readCellTree } from './read-cells.js'
import type { TransactionId } from './transaction.js'

/** An account. */
export interface AccountId {
  workchain: number
  /** The 256 bits of its address. */
  hash: Uint8Array
}

/** The parts of an answer to `liteServer.getAccountState`, as received. */
export interface AccountProof {
  /** Two bags in one; empty for an account of the masterchain. */
  shardProof: Uint8Array
  proof: Uint8Array
  /** Empty if the account does not exist. */
  state: Uint8Array
}

/** An account after a block. `absent` is proven, too. */
export type ProvenAccount =
  | { kind: 'absent'; block: BlockId }
  | {
      kind: 'present'
      /** The block of the account's shard. */
      block: BlockId
      /** The last transaction of the account. */
      last: TransactionId
      state: ProofCell
    }

/**
 * Proves the state of an account after a masterchain block. The block of its shard is derived from the masterchain's state;
 * what the server says about it is not used.
 * @param block a masterchain block whose id is proven
 * @throws {ProofError} `not_covered` when a part is withheld: this does not mean that the account is absent. Other problems when
 * a part is wrong.
 */
export function proveAccount(
  block: BlockId,
  account: AccountId,
  { shardProof, proof, state }: AccountProof,
): ProvenAccount {
  const { workchain, shard } = block
  const isOfMasterchain = workchain === MASTERCHAIN && shard === WHOLE_SHARD
  demand(isOfMasterchain, 'mismatch', 'an account is proven from a block of the masterchain')
  const isMasterchain = account.workchain === MASTERCHAIN
  const shardBlock = isMasterchain
    ? withoutShardProof(block, shardProof)
    : shardOf(block, account, shardProof)
  const [header, stateProof] = readCells(proof, 2) as [ProofCell, ProofCell]
  const leaf = lookUpAccount(openState(header, stateProof, shardBlock), account)
  if (leaf.kind === 'not_covered') {
    throw new ProofError('not_covered', 'the proof withholds the account')
  }
  if (leaf.kind === 'absent') {
    demand(state.length === 0, 'mismatch', 'the account is proven to be absent, but has a state')
    return { kind: 'absent', block: shardBlock }
  }
  demand(state.length > 0, 'not_covered', 'the account exists, but its state is withheld')
  return { kind: 'present', block: shardBlock, ...readLeaf(leaf.value, readCellTree(state)) }
}

function withoutShardProof(block: BlockId, shardProof: Uint8Array): BlockId {
  demand(
    shardProof.length === 0,
    'unexpected_data',
    'an account of the masterchain has a shard proof',
  )
  return block
}

/** Opens the state after a block by the hash in its header. */
function openState(header: ProofCell, stateProof: ProofCell, id: BlockId): CellSlice {
  const slice = new CellSlice(openMerkleProof(stateProof, newStateHash(openBlock(header, id))))
  slice.tag(0x9023afe2, 32, 'the state of a shard')
  slice.skip(32)
  const { workchain, shard } = readShard(slice)
  const seqno = slice.uint(32)
  const isSame = workchain === id.workchain && shard === id.shard && seqno === id.seqno
  demand(isSame, 'mismatch', 'the state is of another shard or block')
  // vert_seqno, time, logical time, min_ref_mc_seqno
  slice.skip(32 + 32 + 64 + 32)
  return slice
}

/** `out_msg_queue_info:^ before_split:1 accounts:^`; the accounts are a dictionary with sums. */
function lookUpAccount(state: CellSlice, { hash }: AccountId): LookUp {
  state.ref()
  state.skip(1)
  const accounts = state.open()
  return lookUp(accounts.maybeRef(), hash, 256)
}

/** `depth_balance account:^Account last_trans_hash last_trans_lt` */
function readLeaf(leaf: CellSlice, state: ProofCell): { last: TransactionId; state: ProofCell } {
  leaf.skip(5)
  leaf.currencies()
  const account = leaf.ref()
  demand(areEqual(hashOf(account), hashOf(state)), 'mismatch', 'the state is of another account')
  demand(state.levelMask === 0, 'not_covered', 'parts of the state are withheld')
  return { last: { hash: leaf.bytes(32), lt: leaf.bigUint(64) }, state }
}

/** Returns the block of an account's shard, as the masterchain's state names it. */
function shardOf(block: BlockId, { workchain, hash }: AccountId, shardProof: Uint8Array): BlockId {
  const [header, stateProof] = readCells(shardProof, 2) as [ProofCell, ProofCell]
  const state = openState(header, stateProof, block)
  // The queue, the accounts, and what follows them.
  state.ref()
  state.skip(1)
  state.ref()
  state.ref()
  const custom = state.maybeRef()
  demand(custom !== undefined, 'unexpected_data', 'the state is not of the masterchain')
  const slice = new CellSlice(custom)
  slice.tag(0xcc26, 16, 'the extra of the masterchain')
  const key = new Uint8Array(4)
  new DataView(key.buffer).setInt32(0, workchain)
  const found = lookUp(slice.maybeRef(), key, 32)
  demand(
    found.kind === 'found',
    'not_covered',
    `the proof does not show the workchain ${workchain}`,
  )
  return walkToShard(found.value.ref(), workchain, hash)
}

/** Walks down the tree of shards by the account's bits. */
function walkToShard(tree: ProofCell, workchain: number, account: Uint8Array): BlockId {
  let node = new CellSlice(tree)
  let shard = 0n
  let depth = 0
  while (node.bit()) {
    const [left, right] = [node.ref(), node.ref()]
    const bit = bitAt(account, depth)
    shard |= BigInt(bit) << BigInt(63 - depth)
    node = new CellSlice(bit === 0 ? left : right)
    demand(++depth <= 60, 'unexpected_data', 'a shard has more than 60 bits')
  }
  const tag = node.uint(4)
  demand(tag === 0xa || tag === 0xb, 'unexpected_data', 'a shard has an unknown form')
  const seqno = node.uint(32)
  node.skip(32 + 64 + 64)
  const [rootHash, fileHash] = [node.bytes(32), node.bytes(32)]
  return { workchain, shard: shard | (WHOLE_SHARD >> BigInt(depth)), seqno, rootHash, fileHash }
}
