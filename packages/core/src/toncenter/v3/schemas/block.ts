import * as field from '../../schema/fields.js'

/** The id of a block: `shard` is upper-case hex without a prefix, for example `8000000000000000`. Source: API facts, part 2.1. */
export const blockId = field.object({ workchain: field.int, shard: field.string, seqno: field.int })

/** A block. `gen_utime` is Unix seconds; `validator_list_hash_short` may be negative. Source: API facts, part 2.3. */
export const block = field.object({
  workchain: field.int,
  shard: field.string,
  seqno: field.int,
  root_hash: field.hash,
  file_hash: field.hash,
  start_lt: field.bigint,
  end_lt: field.bigint,
  gen_utime: field.int,
  /** Transactions in the block. */
  tx_count: field.optional(field.int),
  /** The masterchain block that refers to this one. */
  masterchain_block_ref: field.optional(blockId),
  prev_blocks: field.nullableList(blockId),
  global_id: field.optional(field.int),
  version: field.optional(field.int),
  after_merge: field.optional(field.bool),
  before_split: field.optional(field.bool),
  after_split: field.optional(field.bool),
  want_merge: field.optional(field.bool),
  want_split: field.optional(field.bool),
  key_block: field.optional(field.bool),
  vert_seqno_incr: field.optional(field.bool),
  flags: field.optional(field.int),
  validator_list_hash_short: field.optional(field.int),
  gen_catchain_seqno: field.optional(field.int),
  min_ref_mc_seqno: field.optional(field.int),
  prev_key_block_seqno: field.optional(field.int),
  vert_seqno: field.optional(field.int),
  master_ref_seqno: field.optional(field.int),
  rand_seed: field.optional(field.string),
  created_by: field.optional(field.string),
})
