import type { ChainBlock } from '../chain/block.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { base64Hash, rawAddress, readHash } from '../shared/encodings.js'
import { readAddress, HttpError } from '../server/http-error.js'
import {
  blockAt,
  blockNotFound,
  hashOf,
  headOf,
  intOf,
  invalid,
  ltOf,
  requiredIntOf,
  stringOf,
  unavailable,
  type Method,
  type MethodCall,
} from './method-call.js'
import { blockHash, WHOLE_SHARD, writeBlockId, writeStdTransaction } from './write.js'

const MAINNET = -239

/** A block of one of the two workchains. */
interface AskedBlock {
  workchain: number
  block: ChainBlock
}

/** The methods for blocks. */
export const blocks = {
  getMasterchainInfo({ chain }) {
    const { seqno } = headOf(chain)
    return {
      '@type': 'blocks.masterchainInfo',
      last: writeBlockId(-1, seqno),
      state_root_hash: blockHash('state', -1, seqno),
      init: { ...writeBlockId(-1, 0), shard: '0' },
    }
  },
  getMasterchainBlockSignatures: unavailable('validators and their signatures'),
  getShardBlockProof: unavailable('block proofs'),
  getConsensusBlock({ chain, dialect }) {
    const { seqno, utime } = headOf(chain)
    return {
      '@type': 'ext.blocks.consensusBlock',
      consensus_block: seqno,
      // The Python server responds with a fraction.
      timestamp: dialect === 'python' ? utime + 0.5 : utime,
    }
  },
  lookupBlock(call) {
    const { chain } = call
    const workchain = workchainOf(call)
    const [seqno, lt, unixtime] = [
      intOf(call, 'seqno', 1),
      ltOf(call, 'lt'),
      intOf(call, 'unixtime', 0),
    ]
    const given = [seqno, lt, unixtime].filter((value) => value !== undefined)
    if (given.length === 0 || (given.length > 1 && call.dialect === 'cpp')) {
      throw invalid('exactly one of seqno, lt and unixtime is required')
    }
    if (seqno !== undefined) return writeBlockId(workchain, blockAt(chain, seqno).seqno)
    const found = chain.blocks.find((block) =>
      lt === undefined ? block.utime >= (unixtime ?? 0) : block.endLt >= lt,
    )
    if (found === undefined) throw blockNotFound()
    return writeBlockId(workchain, found.seqno)
  },
  getShards,
  shards: getShards,
  getBlockHeader(call) {
    const { workchain, block } = blockOf(call)
    const { seqno, startLt, endLt, utime } = block
    return {
      '@type': 'blocks.header',
      id: writeBlockId(workchain, seqno),
      global_id: MAINNET,
      version: 0,
      after_merge: false,
      after_split: false,
      before_split: false,
      want_merge: false,
      want_split: false,
      validator_list_hash_short: 0,
      catchain_seqno: 0,
      min_ref_mc_seqno: seqno - 1,
      is_key_block: false,
      prev_key_block_seqno: 0,
      start_lt: startLt.toString(),
      end_lt: endLt.toString(),
      gen_utime: utime,
      prev_blocks: [writeBlockId(workchain, seqno - 1)],
    }
  },
  getOutMsgQueueSize: unavailable('message queues between shards'),
  getBlockTransactions(call) {
    const { id, page, rest } = transactionsOf(call)
    return {
      '@type': 'blocks.transactions',
      id,
      ...rest,
      transactions: page.map(({ address, transaction }) => ({
        '@type': 'blocks.shortTxId',
        mode: 135,
        account: rawAddress(address),
        lt: transaction.lt.toString(),
        hash: base64Hash(transaction.hash()),
      })),
    }
  },
  getBlockTransactionsExt(call) {
    const { id, page, rest } = transactionsOf(call)
    return {
      '@type': 'blocks.transactionsExt',
      id,
      ...rest,
      transactions: page.map((one) => ({
        ...writeStdTransaction(one),
        '@type': 'raw.transactionExt',
        account: rawAddress(one.address),
      })),
    }
  },
} satisfies Record<string, Method>

function getShards(call: MethodCall): unknown {
  const { seqno } = blockAt(call.chain, requiredIntOf(call, 'seqno', 1))
  return { '@type': 'blocks.shards', shards: [writeBlockId(0, seqno)] }
}

/** Returns the workchain of the requested block. Its only shard is the full shard. */
function workchainOf(call: MethodCall): number {
  const workchain = intOf(call, 'workchain', -1)
  if (workchain === undefined) throw invalid('parameter workchain is required')
  if (stringOf(call, 'shard') !== WHOLE_SHARD || workchain > 0) throw blockNotFound()
  return workchain
}

function blockOf(call: MethodCall): AskedBlock {
  const workchain = workchainOf(call)
  const block = blockAt(call.chain, requiredIntOf(call, 'seqno', 1))
  for (const kind of ['root', 'file'] as const) {
    const asked = hashOf(call, `${kind}_hash`)
    if (asked !== undefined && asked !== blockHash(kind, workchain, block.seqno)) {
      throw blockNotFound()
    }
  }
  return { workchain, block }
}

/** Returns a page of a block's transactions, sorted by account and logical time. */
function transactionsOf(call: MethodCall) {
  const { workchain, block } = blockOf(call)
  const count = intOf(call, 'count', 1, 10_000) ?? 40
  const all = block.transactions
    .filter(({ address }) => address.workChain === workchain)
    .toSorted(inOrder)
  const left = all.slice(startOf(call, all))
  return {
    id: writeBlockId(workchain, block.seqno),
    page: left.slice(0, count),
    rest: { req_count: count, incomplete: left.length > count },
  }
}

/** Returns the index of the first transaction after the cursor. */
function startOf(call: MethodCall, all: readonly RecordedTransaction[]): number {
  const lt = ltOf(call, 'after_lt')
  const account = call.params['after_hash']
  if ((lt === undefined) !== (account === undefined)) {
    throw invalid('after_lt and after_hash go together')
  }
  if (lt === undefined) return 0
  const after = { hash: accountHash(String(account)), lt }
  const next = all.findIndex(({ address, transaction }) => {
    const order = Buffer.compare(address.hash, after.hash)
    return order > 0 || (order === 0 && transaction.lt > after.lt)
  })
  return next === -1 ? all.length : next
}

/** Reads the hash of an account, which may also be an address. */
function accountHash(text: string): Buffer {
  try {
    return readAddress(text).hash
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return Buffer.from(readHash(text), 'base64')
  }
}

function inOrder(one: RecordedTransaction, other: RecordedTransaction): number {
  const order = Buffer.compare(one.address.hash, other.address.hash)
  return order === 0 ? Number(one.transaction.lt - other.transaction.lt) : order
}
