import { areEqual, toHex } from '../shared/bytes.js'
import { newStateHash, openBlock, readShard } from './block.js'
import { uintBits } from '../shared/cells/bits.js'
import { demandMasterchain, MASTERCHAIN, type BlockId } from './block-id.js'
import { hashOf, type ProofCell } from './cell.js'
import { CellSlice } from './cell-slice.js'
import { lookUp } from './look-up.js'
import { openMerkleProof } from './merkle-proof.js'
import { demand } from './proof-error.js'
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
  { workchain, hash }: AccountId,
  { shardProof, proof, state }: AccountProof,
): ProvenAccount {
  demandMasterchain(block)
  const key = uintBits(BigInt(`0x${toHex(hash)}`), 256)
  let shardBlock = block
  if (workchain === MASTERCHAIN) {
    demand(shardProof.length === 0, 'unexpected_data', 'the masterchain has no shard proof')
  } else {
    shardBlock = findShard(openState(shardProof, block), workchain, key)
  }
  const leaf = lookUp(new CellSlice(openState(proof, shardBlock).accounts).maybeRef(), key)
  if (leaf === undefined) {
    demand(state.length === 0, 'mismatch', 'the account is proven to be absent, but has a state')
    return { kind: 'absent', block: shardBlock }
  }
  demand(state.length > 0, 'not_covered', 'the account exists, but its state is withheld')
  return { kind: 'present', block: shardBlock, ...readLeaf(leaf, readCellTree(state)) }
}

/** Parts of a state. They may be withheld. */
interface ShardState {
  accounts: ProofCell
  /** Absent in shards. */
  custom: ProofCell | undefined
}

/** Opens the state after a block, by the hash in the block's header. */
function openState(proof: Uint8Array, id: BlockId): ShardState {
  const [header, state] = readCells(proof, 2) as [ProofCell, ProofCell]
  const slice = new CellSlice(openMerkleProof(state, newStateHash(openBlock(header, id))))
  slice.tag(0x9023afe2, 32, 'the state of a shard')
  slice.skip(32)
  const { workchain, shard } = readShard(slice)
  const isSame = workchain === id.workchain && shard === id.shard && slice.uint(32) === id.seqno
  demand(isSame, 'mismatch', 'the state is of another shard or block')
  // vert_seqno, time, logical time, min_ref_mc_seqno, out_msg_queue_info, before_split
  slice.skip(32 + 32 + 64 + 32)
  slice.ref()
  slice.skip(1)
  const accounts = slice.ref()
  slice.ref()
  return { accounts, custom: slice.maybeRef() }
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

/** Returns the block of an account's shard, as the masterchain's state names it: walks a tree by the account's bits. */
function findShard({ custom }: ShardState, workchain: number, account: string): BlockId {
  demand(custom !== undefined, 'unexpected_data', 'the state is not of the masterchain')
  const extra = new CellSlice(custom)
  extra.tag(0xcc26, 16, 'the extra of the masterchain')
  const found = lookUp(extra.maybeRef(), uintBits(workchain, 32))
  demand(found !== undefined, 'not_covered', `the proof does not show the workchain ${workchain}`)
  let node = found.open()
  let depth = 0
  while (node.bit()) {
    const branches = [node.ref(), node.ref()] as const
    node = new CellSlice(branches[account[depth] === '0' ? 0 : 1])
    demand(++depth <= 60, 'unexpected_data', 'a shard has more than 60 bits')
  }
  const tag = node.uint(4)
  demand(tag === 0xa || tag === 0xb, 'unexpected_data', 'a shard has an unknown form')
  const seqno = node.uint(32)
  node.skip(32 + 64 + 64)
  const shard = BigInt(`0b${account.slice(0, depth)}1`) << BigInt(63 - depth)
  return { workchain, shard, seqno, rootHash: node.bytes(32), fileHash: node.bytes(32) }
}
