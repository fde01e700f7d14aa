import * as field from '../../schema/fields.js'

/** A block: `shard` is a signed 64-bit integer in decimal digits. Source: API facts, part 1.4. */
export const blockId = field.object({
  /** -1 is the masterchain, 0 the basechain. */
  workchain: field.int,
  /** A signed 64-bit integer in decimal digits. */
  shard: field.shard,
  /** The number of the block in its shard. */
  seqno: field.int,
  /** The hash of the block. */
  root_hash: field.hash,
  /** The hash of the file of the block. */
  file_hash: field.hash,
})

/** `blocks.masterchainInfo` */
export const masterchainInfo = field.object({
  /** The last block of the masterchain. */
  last: blockId,
  /** The hash of the state after it. */
  state_root_hash: field.hash,
  /** The zero state. */
  init: blockId,
})

/** `blocks.blockSignatures`; only `blocks.blockSignatures.simplex` has the last three fields. */
export const blockSignatures = field.object({
  '@type': field.optional(field.string),
  id: blockId,
  signatures: field.list(field.object({ node_id_short: field.string, signature: field.bytes })),
  session_id: field.optional(field.hash),
  slot: field.optional(field.int),
  candidate: field.optional(field.bytes),
})

/** `blocks.shardBlockProof` */
export const shardBlockProof = field.object({
  from: blockId,
  mc_id: blockId,
  links: field.list(field.object({ id: blockId, proof: field.bytes })),
  mc_proof: field.list(
    field.object({
      to_key_block: field.bool,
      from: blockId,
      to: blockId,
      dest_proof: field.bytes,
      proof: field.bytes,
      state_proof: field.bytes,
    }),
  ),
})

/** The Python server's `timestamp` has a fraction. Source: API facts, part 6, trap 3. */
export const consensusBlock = field.object({ consensus_block: field.int, timestamp: field.number })

/** `blocks.shards` */
export const shards = field.object({ shards: field.list(blockId) })

/** `blocks.header`; only the Python server returns `flags` and `vert_seqno`. */
export const blockHeader = field.object({
  id: blockId,
  /** The id of the network: -239 is mainnet, -3 testnet. */
  global_id: field.int,
  version: field.int,
  flags: field.optional(field.int),
  after_merge: field.bool,
  after_split: field.bool,
  before_split: field.bool,
  want_merge: field.bool,
  want_split: field.bool,
  validator_list_hash_short: field.int,
  /** The number of the validator session. */
  catchain_seqno: field.int,
  /** The oldest masterchain block that it refers to. */
  min_ref_mc_seqno: field.int,
  /** `true` if it contains the configuration. */
  is_key_block: field.bool,
  /** The key block before it. */
  prev_key_block_seqno: field.int,
  /** The first logical time in it. */
  start_lt: field.bigint,
  /** The last logical time in it. */
  end_lt: field.bigint,
  /** Time of creation, Unix seconds. */
  gen_utime: field.optional(field.int),
  vert_seqno: field.optional(field.int),
  /** One block, or two after a merge of shards. */
  prev_blocks: field.optional(field.list(blockId)),
})

/** `blocks.outMsgQueueSizes` */
export const outMsgQueueSizes = field.object({
  /** The newest block of each shard. */
  shards: field.list(field.object({ id: blockId, size: field.int })),
  ext_msg_queue_size_limit: field.int,
})
