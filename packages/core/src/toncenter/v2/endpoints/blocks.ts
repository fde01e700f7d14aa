import { optionalParam } from '../../schema/param.js'
import {
  hashParam,
  intParam,
  ltParam,
  seqnoParam,
  shardParam,
  timeParam,
  workchainParam,
} from '../../schema/params.js'
import { exactlyOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'

const masterchainBlock = {
  /** The masterchain block. */
  seqno: seqnoParam,
}

const ofShard = {
  /** The workchain of the block; -1 is the masterchain. */
  workchain: workchainParam,
  /** The shard of the block. */
  shard: shardParam,
}

/** Blocks: the masterchain, its shards, headers and proofs. */
export const blocks = {
  /**
   * Returns the newest masterchain block: `last.seqno` is the height.
   * @example
   * const { last } = await v2.getMasterchainInfo()
   * console.log(last.seqno)
   */
  getMasterchainInfo: getEndpoint('getMasterchainInfo', {}),

  /**
   * Returns the validators' signatures of a masterchain block.
   * Only blocks of the simplex consensus have `session_id`, `slot` and `candidate`; see `@type`.
   * @example
   * const { signatures } = await v2.getMasterchainBlockSignatures({ seqno: 39_984_096 })
   * console.log(signatures.length)
   */
  getMasterchainBlockSignatures: getEndpoint('getMasterchainBlockSignatures', masterchainBlock),

  /**
   * Returns a proof that leads from a masterchain block to a shard block.
   * It starts at masterchain block `from_seqno`, or at the newest one.
   * @example
   * const block = { workchain: 0, shard: '-9223372036854775808', seqno: 46_204_000 }
   * const { mc_id, links } = await v2.getShardBlockProof(block)
   * console.log(mc_id.seqno, links.length)
   */
  getShardBlockProof: getEndpoint('getShardBlockProof', {
    ...ofShard,
    /** The seqno of the block. */
    seqno: seqnoParam,
    /** The masterchain block that the proof starts at. @default the newest one */
    from_seqno: optionalParam(intParam(0)),
  }),

  /**
   * Returns the newest masterchain block that most liteservers have.
   * `timestamp` is when it became that, Unix seconds, with a fraction from the Python server.
   * @example
   * const { consensus_block, timestamp } = await v2.getConsensusBlock()
   * console.log(consensus_block, new Date(timestamp * 1000))
   */
  getConsensusBlock: getEndpoint('getConsensusBlock', {}),

  /**
   * Returns the shard block with a seqno, around a logical time, or around a point in time.
   * @example
   * const block = { workchain: -1, shard: '-9223372036854775808' }
   * const { seqno } = await v2.lookupBlock({ ...block, unixtime: new Date('2026-01-01') })
   * console.log(seqno)
   */
  lookupBlock: getEndpoint(
    'lookupBlock',
    {
      ...ofShard,
      /** The seqno of the block. */
      seqno: optionalParam(seqnoParam),
      /** A logical time that the block is around. */
      lt: optionalParam(ltParam()),
      /** A point in time that the block is around. */
      unixtime: optionalParam(timeParam),
    },
    { rules: [exactlyOne('seqno', 'lt', 'unixtime')] },
  ),

  /**
   * Returns the newest block of every shard as of a masterchain block. C++ server only; `shards` works on both.
   * @example
   * const { shards } = await v2.getShards({ seqno: 39_984_096 })
   * for (const { workchain, shard, seqno } of shards) console.log(workchain, shard, seqno)
   */
  getShards: getEndpoint('getShards', masterchainBlock, { servers: 'cpp' }),

  /**
   * Returns the newest block of every shard as of a masterchain block: the older name of `getShards`.
   * @example
   * const { shards } = await v2.shards({ seqno: 39_984_096 })
   * for (const { workchain, shard, seqno } of shards) console.log(workchain, shard, seqno)
   */
  shards: getEndpoint('shards', masterchainBlock),

  /**
   * Returns the header of a block: its neighbors, flags, and first and last logical time.
   * @example
   * const block = { workchain: -1, shard: '-9223372036854775808', seqno: 39_984_096 }
   * const { start_lt, end_lt, is_key_block } = await v2.getBlockHeader(block)
   * console.log(start_lt, end_lt, is_key_block)
   */
  getBlockHeader: getEndpoint('getBlockHeader', {
    ...ofShard,
    /** The seqno of the block. */
    seqno: seqnoParam,
    /** The block's root hash, when it is known. */
    root_hash: optionalParam(hashParam),
    /** The block's file hash, when it is known. */
    file_hash: optionalParam(hashParam),
  }),

  /**
   * Returns the number of queued outbound messages of every shard. C++ server only.
   * @example
   * const { shards } = await v2.getOutMsgQueueSize()
   * for (const { id, size } of shards) console.log(id.shard, size)
   */
  getOutMsgQueueSize: getEndpoint('getOutMsgQueueSize', {}, { servers: 'cpp' }),
}
