import { nullableListField, presentListField } from '../../schema/collections.js'
import {
  bigintField,
  boolField,
  hashField,
  intField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'

/** A block's place: `shard` is upper-case hex without a prefix, as in `8000000000000000`. Source: API facts, part 2.1. */
export const blockId = objectField({ workchain: intField, shard: textField, seqno: intField })

/** A block. `gen_utime` is Unix seconds; `validator_list_hash_short` may be negative. Source: API facts, part 2.3. */
export const block = objectField({
  workchain: intField,
  shard: textField,
  seqno: intField,
  root_hash: hashField,
  file_hash: hashField,
  start_lt: bigintField,
  end_lt: bigintField,
  gen_utime: intField,
  /** Transactions in the block. */
  tx_count: optionalField(intField),
  /** The masterchain block that refers to this one. */
  masterchain_block_ref: optionalField(blockId),
  prev_blocks: nullableListField(blockId),
  global_id: optionalField(intField),
  version: optionalField(intField),
  after_merge: optionalField(boolField),
  before_split: optionalField(boolField),
  after_split: optionalField(boolField),
  want_merge: optionalField(boolField),
  want_split: optionalField(boolField),
  key_block: optionalField(boolField),
  vert_seqno_incr: optionalField(boolField),
  flags: optionalField(intField),
  validator_list_hash_short: optionalField(intField),
  gen_catchain_seqno: optionalField(intField),
  min_ref_mc_seqno: optionalField(intField),
  prev_key_block_seqno: optionalField(intField),
  vert_seqno: optionalField(intField),
  master_ref_seqno: optionalField(intField),
  rand_seed: optionalField(textField),
  created_by: optionalField(textField),
})

/** Blocks of a filter. */
export const blocks = objectField({ blocks: presentListField(block) })
