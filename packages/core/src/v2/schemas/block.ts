import {
  boolField,
  bytesField,
  hashField,
  intField,
  bigintField,
  listField,
  numberField,
  objectField,
  optionalField,
  shardField,
  textField,
} from '../../schema/fields.js'

/** A block: `shard` is a signed 64-bit integer in decimal digits. Source: API facts, part 1.4. */
export const blockId = objectField({
  workchain: intField,
  shard: shardField,
  seqno: intField,
  root_hash: hashField,
  file_hash: hashField,
})

/** `blocks.masterchainInfo` */
export const masterchainInfo = objectField({
  last: blockId,
  state_root_hash: hashField,
  init: blockId,
})

/** `blocks.blockSignatures`; the last three fields come with `blocks.blockSignatures.simplex` only. */
export const blockSignatures = objectField({
  '@type': optionalField(textField),
  id: blockId,
  signatures: listField(objectField({ node_id_short: textField, signature: bytesField })),
  session_id: optionalField(hashField),
  slot: optionalField(intField),
  candidate: optionalField(bytesField),
})

/** `blocks.shardBlockProof` */
export const shardBlockProof = objectField({
  from: blockId,
  mc_id: blockId,
  links: listField(objectField({ id: blockId, proof: bytesField })),
  mc_proof: listField(
    objectField({
      to_key_block: boolField,
      from: blockId,
      to: blockId,
      dest_proof: bytesField,
      proof: bytesField,
      state_proof: bytesField,
    }),
  ),
})

/** The Python server's `timestamp` has a fraction. Source: API facts, part 6, trap 3. */
export const consensusBlock = objectField({ consensus_block: intField, timestamp: numberField })

/** `blocks.shards` */
export const shards = objectField({ shards: listField(blockId) })

/** `blocks.header`; `flags` and `vert_seqno` come from the Python server only. */
export const blockHeader = objectField({
  id: blockId,
  global_id: intField,
  version: intField,
  flags: optionalField(intField),
  after_merge: boolField,
  after_split: boolField,
  before_split: boolField,
  want_merge: boolField,
  want_split: boolField,
  validator_list_hash_short: intField,
  catchain_seqno: intField,
  min_ref_mc_seqno: intField,
  is_key_block: boolField,
  prev_key_block_seqno: intField,
  start_lt: bigintField,
  end_lt: bigintField,
  gen_utime: optionalField(intField),
  vert_seqno: optionalField(intField),
  prev_blocks: optionalField(listField(blockId)),
})

/** `blocks.outMsgQueueSizes` */
export const outMsgQueueSizes = objectField({
  shards: listField(objectField({ id: blockId, size: intField })),
  ext_msg_queue_size_limit: intField,
})
