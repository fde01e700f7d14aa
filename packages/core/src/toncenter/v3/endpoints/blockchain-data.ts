import { canonicalAddress } from '../../../shared/address.js'
import type { Output } from '../../schema/fields.js'
import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam, hashParam, ltParam, workchainParam } from '../../schema/params.js'
import { atLeastOne, needs, notBoth, type WireParams } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import {
  addressOrNullParam,
  blockSeqnoParam,
  directionParam,
  inTime,
  manyParam,
  opcodeParam,
  page,
  shardHexParam,
  sorted,
} from '../params.js'
import type { V3Results } from '../results.js'

const ofBlock = {
  /** The workchain of the block; -1 is the masterchain. */
  workchain: optionalParam(workchainParam),
  /** The shard of the block. */
  shard: optionalParam(shardHexParam),
  /** The seqno of the block. */
  seqno: optionalParam(blockSeqnoParam),
}

const blockRules = [needs('shard', 'workchain'), needs('seqno', 'workchain', 'shard')]

const ofMasterchainBlock = {
  /** The seqno of the masterchain block. */
  seqno: blockSeqnoParam,
}

/** Blockchain data: blocks, transactions and messages. */
export const blockchainData = {
  /**
   * Returns the transaction that sent a transaction's message, and those that received the messages it sent.
   * `direction` selects one side: `in` is the transaction that sent the message.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if there is no such transaction yet.
   * @example
   * const { transactions } = await v3.adjacentTransactions({ hash, direction: 'out' })
   * for (const { account, lt } of transactions) console.log(account, lt)
   */
  adjacentTransactions: getEndpoint('/adjacentTransactions', {
    /** The hash of the transaction. */
    hash: hashParam,
    /** The side to return. @default both */
    direction: optionalParam(directionParam),
  }),

  /**
   * Returns blocks that match a filter, newest first.
   * @example
   * const { blocks } = await v3.blocks({ workchain: -1, limit: 1 })
   * for (const { seqno, gen_utime } of blocks) console.log(seqno, new Date(gen_utime * 1000))
   */
  blocks: getEndpoint(
    '/blocks',
    {
      ...ofBlock,
      /** The block's root hash. */
      root_hash: optionalParam(hashParam),
      /** The block's file hash. */
      file_hash: optionalParam(hashParam),
      /** The seqno of the masterchain block that the blocks belong to. */
      mc_seqno: optionalParam(blockSeqnoParam),
      ...inTime,
      ...sorted,
    },
    { rules: blockRules },
  ),

  /**
   * Returns the newest block of every shard as of a masterchain block.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the block.
   * @example
   * const { blocks } = await v3.masterchainBlockShardState({ seqno: 51_317_643 })
   * for (const { workchain, shard, seqno } of blocks) console.log(workchain, shard, seqno)
   */
  masterchainBlockShardState: getEndpoint('/masterchainBlockShardState', ofMasterchainBlock),

  /**
   * Returns a masterchain block and the shard blocks since the previous one.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the block.
   * @example
   * const { blocks } = await v3.masterchainBlockShards({ seqno: 51_317_643, limit: 100 })
   * for (const { shard, tx_count } of blocks) console.log(shard, tx_count)
   */
  masterchainBlockShards: getEndpoint('/masterchainBlockShards', {
    ...ofMasterchainBlock,
    ...page,
  }),

  /**
   * Returns the newest and the oldest masterchain block of the index.
   * The index is some seconds behind the chain.
   * @example
   * const { last } = await v3.masterchainInfo()
   * console.log(last.seqno)
   */
  masterchainInfo: getEndpoint('/masterchainInfo', {}),

  /**
   * Returns messages that match a filter, newest first.
   * External messages have no lt and no time: newest first, they precede all others. `start_lt: 1` or
   * `exclude_externals` leaves them out.
   * @example
   * const { messages } = await v3.messages({ destination: address, exclude_externals: true })
   * for (const { source, value = 0n } of messages) console.log(source, value)
   */
  messages: getEndpoint(
    '/messages',
    {
      /** The message's hash, or the normalized hash of an external message. */
      msg_hash: optionalParam(manyParam(hashParam)),
      /** The hash of the message's body. */
      body_hash: optionalParam(hashParam),
      /** The account that sent it, or `'null'` for external messages. */
      source: optionalParam(addressOrNullParam),
      /** The account that received it, or `'null'` for outgoing external messages. */
      destination: optionalParam(addressOrNullParam),
      /** The first 32 bits of the body. */
      opcode: optionalParam(opcodeParam),
      ...inTime,
      /** Messages received by an indexed transaction (`in`) or sent by one. @default both */
      direction: optionalParam(directionParam),
      /** Leaves out external messages. @default false */
      exclude_externals: optionalParam(boolParam),
      /** Leaves out all others. @default false */
      only_externals: optionalParam(boolParam),
      ...sorted,
    },
    { rules: [notBoth('exclude_externals', 'only_externals')] },
  ),

  /**
   * Returns transactions of accounts that are not yet in a final block.
   * Some are emulated and may change or never happen: none of them is a payment. The server ignores `trace_id`; the
   * client leaves out other traces. If nothing is pending, the list is empty, also if the server responds with 404.
   * @example
   * const { transactions } = await v3.pendingTransactions({ account: address })
   * for (const { hash, finality } of transactions) console.log(hash, finality)
   */
  pendingTransactions: getEndpoint(
    '/pendingTransactions',
    {
      /** The accounts. */
      account: manyParam(addressParam),
      /** Only transactions of these traces. @default all */
      trace_id: optionalParam(manyParam(hashParam)),
    },
    { narrow: ofTraces, whenNone: () => ({ transactions: [] }) },
  ),

  /**
   * Returns transactions that match a filter, newest first.
   * With `lt` the order is ascending regardless of `sort`; with `hash` it is undefined. The server ignores
   * `exclude_account`: the client leaves those accounts out, so a page may have fewer than `limit` rows although more
   * exist. Amounts and fees are in nanocoins; `now` is Unix seconds. `description.aborted` does not mean that money
   * was lost: a plain transfer to an account without a contract is aborted, and its value has arrived.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the masterchain block `mc_seqno`.
   * @example
   * const { transactions } = await v3.transactions({ account: address, limit: 20 })
   * for (const { now, in_msg } of transactions) {
   *   console.log(new Date(now * 1000), in_msg?.source, in_msg?.value)
   * }
   */
  transactions: getEndpoint(
    '/transactions',
    {
      ...ofBlock,
      /** The seqno of the masterchain block that they belong to. */
      mc_seqno: optionalParam(blockSeqnoParam),
      /** The accounts. @default all */
      account: optionalParam(manyParam(addressParam)),
      /** Accounts to leave out. */
      exclude_account: optionalParam(manyParam(addressParam)),
      /** The transaction's hash, or several. */
      hash: optionalParam(manyParam(hashParam)),
      /** The transaction's lt. */
      lt: optionalParam(ltParam()),
      ...inTime,
      ...sorted,
    },
    { rules: blockRules, narrow: withoutAccounts },
  ),

  /**
   * Returns the transactions of a masterchain block and its shard blocks, newest first.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the block.
   * @example
   * const { transactions } = await v3.transactionsByMasterchainBlock({ seqno: 51_317_643 })
   * for (const { account, hash } of transactions) console.log(account, hash)
   */
  transactionsByMasterchainBlock: getEndpoint('/transactionsByMasterchainBlock', {
    ...ofMasterchainBlock,
    ...sorted,
  }),

  /**
   * Returns the transactions that sent or received a message.
   * Without `direction` a message has two: its sender's and its receiver's. `opcode` finds receivers only.
   * @example
   * const [received] = (await v3.transactionsByMessage({ msg_hash: hash, direction: 'in' })).transactions
   * console.log(received === undefined ? 'not received yet' : received.hash)
   */
  transactionsByMessage: getEndpoint(
    '/transactionsByMessage',
    {
      /** The message's hash, or the normalized hash of an external message. */
      msg_hash: optionalParam(manyParam(hashParam)),
      /** The hash of the message's body. */
      body_hash: optionalParam(hashParam),
      /** The first 32 bits of the body. */
      opcode: optionalParam(opcodeParam),
      /** The receiver's transaction (`in`) or the sender's. @default both */
      direction: optionalParam(directionParam),
      ...page,
    },
    { rules: [atLeastOne('msg_hash', 'body_hash', 'opcode')] },
  ),
}

type Transactions = Output<V3Results['/transactions']>

/** Removes transactions of the accounts in `exclude_account`, which servers ignore. Source: API facts, part 2.2. */
export function withoutAccounts(result: Transactions, params: WireParams): Transactions {
  const excluded = new Set(valuesOf(params['exclude_account']).map(canonicalAddress))
  // Responses have raw accounts in upper case.
  return keep(result, excluded.size, ({ account }) => !excluded.has(account.toLowerCase()))
}

/** Keeps transactions of the traces in `trace_id`, which servers ignore beside accounts. Source: API facts, part 2.2. */
function ofTraces(result: Transactions, params: WireParams): Transactions {
  const wanted = new Set(valuesOf(params['trace_id']))
  return keep(result, wanted.size, ({ trace_id }) => wanted.has(trace_id ?? ''))
}

function keep(
  result: Transactions,
  filterSize: number,
  isKept: (transaction: Transactions['transactions'][number]) => boolean,
): Transactions {
  if (filterSize === 0) return result
  return { ...result, transactions: result.transactions.filter(isKept) }
}

function valuesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}
