import * as field from '../../schema/fields.js'

/** A block: `shard` is a signed 64-bit integer in decimal digits. Source: API facts, part 1.4. */
export const blockId = field.object({
  workchain: field.int,
  shard: field.shard,
  seqno: field.int,
  root_hash: field.hash,
  file_hash: field.hash,
})

/** `blocks.masterchainInfo` */
export const masterchainInfo = field.object({
  last: blockId,
  state_root_hash: field.hash,
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
  global_id: field.int,
  version: field.int,
  flags: field.optional(field.int),
  after_merge: field.bool,
  after_split: field.bool,
  before_split: field.bool,
  want_merge: field.bool,
  want_split: field.bool,
  validator_list_hash_short: field.int,
  catchain_seqno: field.int,
  min_ref_mc_seqno: field.int,
  is_key_block: field.bool,
  prev_key_block_seqno: field.int,
  start_lt: field.bigint,
  end_lt: field.bigint,
  gen_utime: field.optional(field.int),
  vert_seqno: field.optional(field.int),
  prev_blocks: field.optional(field.list(blockId)),
})

/** `blocks.outMsgQueueSizes` */
export const outMsgQueueSizes = field.object({
  shards: field.list(field.object({ id: blockId, size: field.int })),
  ext_msg_queue_size_limit: field.int,
})
