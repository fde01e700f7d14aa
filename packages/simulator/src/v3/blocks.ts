import type { ChainBlock } from '../chain/block.js'
import { HttpError } from '../server/http-error.js'
import { blockHash } from '../v2/write.js'
import type { Json } from './json.js'
import { timedPage, pageOf, type PlacedRow } from './page.js'
import { hashesOf, integerOf, shardOf } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'
import { namedBlock } from './look-up.js'
import { WHOLE_SHARD, writeBlockRef } from './write-block-ref.js'

const MASTERCHAIN = -1
const BASECHAIN = 0
const ZERO_HASH = Buffer.alloc(32).toString('base64')

/** A masterchain block, or the workchain block that it refers to. */
interface ShardBlock {
  workchain: number
  block: ChainBlock
}

/** The endpoints for blocks. */
export const blockHandlers = {
  '/masterchainInfo'({ blocks }) {
    // A chain always has a first block.
    const [first, last] = [blocks[0]!, blocks.at(-1)!]
    return {
      last: writeBlock({ workchain: MASTERCHAIN, block: last }),
      first: writeBlock({ workchain: MASTERCHAIN, block: first }),
    }
  },
  '/blocks'(request) {
    const { query, blocks } = request
    const [workchain, shard] = [integerOf(query, 'workchain'), shardOf(query)]
    const [seqno, mcSeqno] = [integerOf(query, 'seqno'), integerOf(query, 'mc_seqno')]
    const [roots, files] = [hashesOf(query, 'root_hash'), hashesOf(query, 'file_hash')]
    const rows = blocks.flatMap(blocksOf).filter((one) => {
      const { root, file } = hashesOfBlock(one)
      return (
        (workchain === undefined || one.workchain === workchain) &&
        (shard === undefined || shard === BigInt(`0x${WHOLE_SHARD}`)) &&
        (seqno === undefined || one.block.seqno === seqno) &&
        (mcSeqno === undefined || one.block.seqno === mcSeqno) &&
        (roots.length === 0 || roots.includes(root)) &&
        (files.length === 0 || files.includes(file))
      )
    })
    return { blocks: timedPage(query, rows.map(place), { areTiesAlong: true }).map(writeBlock) }
  },
  '/masterchainBlockShardState': (request) => ({ blocks: shardsOf(request).map(writeBlock) }),
  '/masterchainBlockShards'(request) {
    return { blocks: pageOf(request.query, shardsOf(request)).map(writeBlock) }
  },
} satisfies Record<string, RequestHandler>

/** Returns the masterchain block and its workchain block. Each masterchain block refers to a new one. */
function shardsOf(request: V3Request): ShardBlock[] {
  try {
    const block = namedBlock(request, 'seqno')
    if (block !== undefined) return blocksOf(block)
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error
  }
  throw new HttpError(404, 'blocks not found')
}

function blocksOf(block: ChainBlock): ShardBlock[] {
  return [
    { workchain: MASTERCHAIN, block },
    { workchain: BASECHAIN, block },
  ]
}

function place(one: ShardBlock): PlacedRow<ShardBlock> {
  const { workchain, block } = one
  return {
    row: one,
    lt: block.startLt,
    utime: block.utime,
    tie: `${String(block.seqno).padStart(10, '0')} ${workchain}`,
  }
}

function hashesOfBlock({ workchain, block: { seqno } }: ShardBlock): {
  root: string
  file: string
} {
  return { root: blockHash('root', workchain, seqno), file: blockHash('file', workchain, seqno) }
}

function writeBlock(one: ShardBlock): Json {
  const { workchain, block } = one
  const { seqno, utime, startLt, endLt, transactions } = block
  const { root, file } = hashesOfBlock(one)
  const isMasterchain = workchain === MASTERCHAIN
  return {
    ...writeBlockRef(workchain, seqno),
    root_hash: root,
    file_hash: file,
    global_id: -239,
    version: 0,
    after_merge: false,
    before_split: false,
    after_split: false,
    want_merge: true,
    want_split: false,
    key_block: false,
    vert_seqno_incr: false,
    flags: 1,
    gen_utime: utime.toString(),
    start_lt: startLt.toString(),
    end_lt: endLt.toString(),
    validator_list_hash_short: -2_119_799_769,
    gen_catchain_seqno: 0,
    min_ref_mc_seqno: seqno - 1,
    prev_key_block_seqno: 0,
    vert_seqno: 1,
    master_ref_seqno: isMasterchain ? 0 : seqno - 1,
    rand_seed: ZERO_HASH,
    created_by: ZERO_HASH,
    tx_count: transactions.filter(({ address }) => address.workChain === workchain).length,
    masterchain_block_ref: writeBlockRef(MASTERCHAIN, seqno),
    prev_blocks: [writeBlockRef(workchain, seqno - 1)],
  }
}
