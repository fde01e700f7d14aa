import * as field from '../../schema/fields.js'

/** The id of a block: `shard` is upper-case hex without a prefix, for example `8000000000000000`. Source: API facts, part 2.1. */
export const blockId = field.object({ workchain: field.int, shard: field.string, seqno: field.int })

/** A block. `gen_utime` is Unix seconds; `validator_list_hash_short` may be negative. Source: API facts, part 2.3. */
export const block = field.object({
  /** -1 is the masterchain, 0 the basechain. */
  workchain: field.int,
  /** Upper-case hex without a prefix. */
  shard: field.string,
  /** The number of the block in its shard. */
  seqno: field.int,
  /** The hash of the block. */
  root_hash: field.hash,
  /** The hash of the file of the block. */
  file_hash: field.hash,
  /** The first logical time in it. */
  start_lt: field.bigint,
  /** The last logical time in it. */
  end_lt: field.bigint,
  /** Time of creation, Unix seconds. */
  gen_utime: field.int,
  /** Transactions in the block. */
  tx_count: field.optional(field.int),
  /** The masterchain block that refers to this one. */
  masterchain_block_ref: field.optional(blockId),
  /** One block, or two after a merge of shards. */
  prev_blocks: field.nullableList(blockId),
  /** The id of the network: -239 is mainnet, -3 testnet. */
  global_id: field.optional(field.int),
  /** Version of the block format. */
  version: field.optional(field.int),
  /** `true` for the first block after a merge of shards. */
  after_merge: field.optional(field.bool),
  /** `true` for the last block before a split of its shard. */
  before_split: field.optional(field.bool),
  /** `true` for the first block after a split. */
  after_split: field.optional(field.bool),
  /** `true` if the validators want to merge the shard. */
  want_merge: field.optional(field.bool),
  /** `true` if the validators want to split the shard. */
  want_split: field.optional(field.bool),
  /** `true` if it contains the configuration. */
  key_block: field.optional(field.bool),
  vert_seqno_incr: field.optional(field.bool),
  flags: field.optional(field.int),
  validator_list_hash_short: field.optional(field.int),
  /** The number of the validator session. */
  gen_catchain_seqno: field.optional(field.int),
  /** The oldest masterchain block that it refers to. */
  min_ref_mc_seqno: field.optional(field.int),
  /** The key block before it. */
  prev_key_block_seqno: field.optional(field.int),
  vert_seqno: field.optional(field.int),
  /** The masterchain block that it refers to. */
  master_ref_seqno: field.optional(field.int),
  rand_seed: field.optional(field.string),
  /** The public key of its validator. */
  created_by: field.optional(field.string),
})
