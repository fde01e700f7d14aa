import type { AccountId, AccountProof, BlockId } from '@tonplug/core/proof'
import { fromHex, recordedValues } from './recorded.js'

export const ACCOUNT_FILES = ['read-basechain.txt', 'read-masterchain.txt', 'read-absent.txt']

/** A recorded read of an account. */
export interface RecordedAccount {
  block: BlockId
  account: AccountId
  proof: AccountProof
}

/** Reads a recorded proof of an account, as a liteserver sent it. */
export function recordedAccount(file: string): RecordedAccount {
  const values = recordedValues(file)
  const bytesOf = (name: string): Uint8Array => fromHex(values.get(name) ?? '')
  return {
    block: {
      workchain: -1,
      shard: 1n << 63n,
      seqno: Number(values.get('block_seqno')),
      rootHash: bytesOf('block_root_hash'),
      // The file states none; no proof covers it.
      fileHash: new Uint8Array(32),
    },
    account: { workchain: Number(values.get('workchain')), hash: bytesOf('account_id') },
    proof: {
      shardProof: bytesOf('shard_proof'),
      proof: bytesOf('proof'),
      state: bytesOf('state'),
    },
  }
}
