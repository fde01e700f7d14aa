import type { ChainBlock } from '../block.js'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { base64Hash, rawAddress, readHash } from '../spellings.js'
import { readAddress, Refusal } from '../refusal.js'
import {
  blockAt,
  blockNotFound,
  hashOf,
  headOf,
  intOf,
  invalid,
  ltOf,
  requiredIntOf,
  textOf,
  unavailable,
  type Answer,
  type Question,
} from './question.js'
import { blockHash, WHOLE_SHARD, writeBlockId, writeStdTransaction } from './write.js'

const MAINNET = -239

/** A block of one of the two workchains. */
interface AskedBlock {
  workchain: number
  block: ChainBlock
}

/** The methods about blocks. */
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
  getMasterchainBlockSignatures: unavailable('validators, whose signatures these would be'),
  getShardBlockProof: unavailable('proofs of blocks'),
  getConsensusBlock({ chain, dialect }) {
    const { seqno, utime } = headOf(chain)
    return {
      '@type': 'ext.blocks.consensusBlock',
      consensus_block: seqno,
      // The Python server has a fraction.
      timestamp: dialect === 'python' ? utime + 0.5 : utime,
    }
  },
  lookupBlock(question) {
    const { chain } = question
    const workchain = workchainOf(question)
    const [seqno, lt, unixtime] = [
      intOf(question, 'seqno', 1),
      ltOf(question, 'lt'),
      intOf(question, 'unixtime', 0),
    ]
    const given = [seqno, lt, unixtime].filter((value) => value !== undefined)
    if (given.length === 0 || (given.length > 1 && question.dialect === 'cpp')) {
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
  getBlockHeader(question) {
    const { workchain, block } = blockOf(question)
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
  getOutMsgQueueSize: unavailable('queues of messages between shards'),
  getBlockTransactions(question) {
    const { id, page, rest } = transactionsOf(question)
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
  getBlockTransactionsExt(question) {
    const { id, page, rest } = transactionsOf(question)
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
} satisfies Record<string, Answer>

function getShards(question: Question): unknown {
  const { seqno } = blockAt(question.chain, requiredIntOf(question, 'seqno', 1))
  return { '@type': 'blocks.shards', shards: [writeBlockId(0, seqno)] }
}

/** The workchain of a block that is asked for. Its only shard is the whole. */
function workchainOf(question: Question): number {
  const workchain = intOf(question, 'workchain', -1)
  if (workchain === undefined) throw invalid('parameter workchain is required')
  if (textOf(question, 'shard') !== WHOLE_SHARD || workchain > 0) throw blockNotFound()
  return workchain
}

function blockOf(question: Question): AskedBlock {
  const workchain = workchainOf(question)
  const block = blockAt(question.chain, requiredIntOf(question, 'seqno', 1))
  for (const kind of ['root', 'file'] as const) {
    const asked = hashOf(question, `${kind}_hash`)
    if (asked !== undefined && asked !== blockHash(kind, workchain, block.seqno)) {
      throw blockNotFound()
    }
  }
  return { workchain, block }
}

/** A page of a block's transactions, in the order of accounts and logical times. */
function transactionsOf(question: Question) {
  const { workchain, block } = blockOf(question)
  const count = intOf(question, 'count', 1, 10_000) ?? 40
  const all = block.transactions
    .filter(({ address }) => address.workChain === workchain)
    .toSorted(inOrder)
  const left = all.slice(startOf(question, all))
  return {
    id: writeBlockId(workchain, block.seqno),
    page: left.slice(0, count),
    rest: { req_count: count, incomplete: left.length > count },
  }
}

/** Where the page begins that follows an account's transaction. */
function startOf(question: Question, all: readonly RecordedTransaction[]): number {
  const lt = ltOf(question, 'after_lt')
  const account = question.params['after_hash']
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

/** The server takes an account's hash or its address. */
function accountHash(text: string): Buffer {
  try {
    return readAddress(text).hash
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return Buffer.from(readHash(text), 'base64')
  }
}

function inOrder(one: RecordedTransaction, other: RecordedTransaction): number {
  const order = Buffer.compare(one.address.hash, other.address.hash)
  return order === 0 ? Number(one.transaction.lt - other.transaction.lt) : order
}
