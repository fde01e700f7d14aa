import { areEqual } from '../shared/bytes.js'
import { demand } from './proof-error.js'
import type { TlReader } from './tl-reader.js'

/** A block. All five fields identify it. */
export interface BlockId {
  workchain: number
  /** The prefix of the accounts, followed by a 1 and zeros: 64 bits, unsigned. */
  shard: bigint
  seqno: number
  rootHash: Uint8Array
  /** The hash of the block's file: no proof covers it, only the signatures do. */
  fileHash: Uint8Array
}

export const MASTERCHAIN = -1
/** The shard of a workchain that is not split. */
export const WHOLE_SHARD = 1n << 63n

/** Throws unless this is the id of a masterchain block. */
export function demandMasterchain({ workchain, shard }: BlockId): void {
  const isMasterchain = workchain === MASTERCHAIN && shard === WHOLE_SHARD
  demand(isMasterchain, 'mismatch', 'expected a block of the masterchain')
}

export function readBlockId(reader: TlReader): BlockId {
  return {
    workchain: reader.int(),
    shard: reader.long(),
    seqno: reader.uint(),
    rootHash: reader.take(32),
    fileHash: reader.take(32),
  }
}

export function isSameBlock(one: BlockId, other: BlockId): boolean {
  return (
    one.workchain === other.workchain &&
    one.shard === other.shard &&
    one.seqno === other.seqno &&
    areEqual(one.rootHash, other.rootHash) &&
    areEqual(one.fileHash, other.fileHash)
  )
}
