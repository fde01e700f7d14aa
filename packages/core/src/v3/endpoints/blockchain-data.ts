import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam, hashParam, ltParam, workchainParam } from '../../schema/params.js'
import { atLeastOne, needs, notBoth, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { inTime, page, sorted } from '../list-params.js'
import { ofTraces, withoutAccounts } from '../narrow.js'
import {
  addressOrNullParam,
  blockSeqnoParam,
  directionParam,
  manyParam,
  opcodeParam,
  shardHexParam,
} from '../params.js'

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
   * The transactions that sent a transaction's message and that received those it sent.
   * `direction` leaves one side of them: `in` is the transaction that sent the message.
   * @throws {NotFoundError} when there is none, or none yet.
   * @example
   * const { transactions } = await v3.adjacentTransactions({ hash, direction: 'out' })
   * for (const { account, lt } of transactions) console.log(account, lt)
   */
  adjacentTransactions: getEndpoint('/adjacentTransactions', {
    params: paramsObject({
      /** The hash of the transaction. */
      hash: hashParam,
      /** The side to look at. @default both */
      direction: optionalParam(directionParam),
    }),
  }),

  /**
   * Blocks of a filter, the newest first.
   * @example
   * const { blocks } = await v3.blocks({ workchain: -1, limit: 1 })
   * for (const { seqno, gen_utime } of blocks) console.log(seqno, new Date(gen_utime * 1000))
   */
  blocks: getEndpoint('/blocks', {
    params: paramsObject(
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
      ...blockRules,
    ),
  }),

  /**
   * The newest block of every shard as of a masterchain block.
   * @throws {NotFoundError} when the index does not have the block.
   * @example
   * const { blocks } = await v3.masterchainBlockShardState({ seqno: 51_317_643 })
   * for (const { workchain, shard, seqno } of blocks) console.log(workchain, shard, seqno)
   */
  masterchainBlockShardState: getEndpoint('/masterchainBlockShardState', {
    params: paramsObject(ofMasterchainBlock),
  }),

  /**
   * The blocks that a masterchain block brought: itself, and those of the shards since the one before.
   * @throws {NotFoundError} when the index does not have the block.
   * @example
   * const { blocks } = await v3.masterchainBlockShards({ seqno: 51_317_643, limit: 100 })
   * for (const { shard, tx_count } of blocks) console.log(shard, tx_count)
   */
  masterchainBlockShards: getEndpoint('/masterchainBlockShards', {
    params: paramsObject({ ...ofMasterchainBlock, ...page }),
  }),

  /**
   * The newest masterchain block of the index, and its oldest.
   * The index is some seconds behind the chain.
   * @example
   * const { last } = await v3.masterchainInfo()
   * console.log(last.seqno)
   */
  masterchainInfo: getEndpoint('/masterchainInfo', {
    params: paramsObject({}),
  }),

  /**
   * Messages of a filter, the newest first.
   * Messages from outside have no lt and no time: newest first, they stand ahead of all others. `start_lt: 1` or
   * `exclude_externals` leaves them out.
   * @example
   * const { messages } = await v3.messages({ destination: address, exclude_externals: true })
   * for (const { source, value = 0n } of messages) console.log(source, value)
   */
  messages: getEndpoint('/messages', {
    params: paramsObject(
      {
        /** The message's hash, or for one from outside its normalised hash. */
        msg_hash: optionalParam(manyParam(hashParam)),
        /** The hash of the message's body. */
        body_hash: optionalParam(hashParam),
        /** The account that sent it, or `'null'` for messages from outside. */
        source: optionalParam(addressOrNullParam),
        /** The account that received it, or `'null'` for messages to outside. */
        destination: optionalParam(addressOrNullParam),
        /** The first 32 bits of the body. */
        opcode: optionalParam(opcodeParam),
        ...inTime,
        /** Messages that an indexed transaction received, `in`, or that one sent. @default both */
        direction: optionalParam(directionParam),
        /** Leaves out messages from outside. @default false */
        exclude_externals: optionalParam(boolParam),
        /** Leaves out all others. @default false */
        only_externals: optionalParam(boolParam),
        ...sorted,
      },
      notBoth('exclude_externals', 'only_externals'),
    ),
  }),

  /**
   * Transactions of accounts that are not yet in a final block.
   * Some are forecasts, `emulated`, that may come otherwise or never: nothing here has been paid. The server does not
   * look at `trace_id`; the client leaves out the other traces. Where none is pending the list is empty, for a server
   * that answers 404 as well.
   * @example
   * const { transactions } = await v3.pendingTransactions({ account: address })
   * for (const { hash, finality } of transactions) console.log(hash, finality)
   */
  pendingTransactions: getEndpoint('/pendingTransactions', {
    params: paramsObject({
      /** The accounts. */
      account: manyParam(addressParam),
      /** Only transactions of these traces. @default all */
      trace_id: optionalParam(manyParam(hashParam)),
    }),
    narrow: ofTraces,
    whenNone: () => ({ transactions: [] }),
  }),

  /**
   * Transactions of a filter, the newest first.
   * With `lt` they come in ascending order whatever `sort` says; with `hash` in no useful one. The server does not look
   * at `exclude_account`: the client leaves those accounts out, so that fewer than `limit` may come although there are
   * more. Amounts and fees are in nanocoins; `now` is Unix seconds. `description.aborted` is no verdict about money: a
   * plain transfer to an account without a contract is aborted, and its value has arrived.
   * @throws {NotFoundError} when the index does not have the masterchain block `mc_seqno`.
   * @example
   * const { transactions } = await v3.transactions({ account: address, limit: 20 })
   * for (const { now, in_msg } of transactions) {
   *   console.log(new Date(now * 1000), in_msg?.source, in_msg?.value)
   * }
   */
  transactions: getEndpoint('/transactions', {
    params: paramsObject(
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
      ...blockRules,
    ),
    narrow: withoutAccounts,
  }),

  /**
   * Transactions of a masterchain block and of the shard blocks that it brought, the newest first.
   * @throws {NotFoundError} when the index does not have the block.
   * @example
   * const { transactions } = await v3.transactionsByMasterchainBlock({ seqno: 51_317_643 })
   * for (const { account, hash } of transactions) console.log(account, hash)
   */
  transactionsByMasterchainBlock: getEndpoint('/transactionsByMasterchainBlock', {
    params: paramsObject({ ...ofMasterchainBlock, ...sorted }),
  }),

  /**
   * The transactions that sent or received a message.
   * Without `direction` a message has two: its sender's and its receiver's. `opcode` finds receivers only.
   * @example
   * const [received] = (await v3.transactionsByMessage({ msg_hash: hash, direction: 'in' })).transactions
   * console.log(received === undefined ? 'not received yet' : received.hash)
   */
  transactionsByMessage: getEndpoint('/transactionsByMessage', {
    params: paramsObject(
      {
        /** The message's hash, or for one from outside its normalised hash. */
        msg_hash: optionalParam(manyParam(hashParam)),
        /** The hash of the message's body. */
        body_hash: optionalParam(hashParam),
        /** The first 32 bits of the body. */
        opcode: optionalParam(opcodeParam),
        /** The receiver's transaction, `in`, or the sender's. @default both */
        direction: optionalParam(directionParam),
        ...page,
      },
      atLeastOne('msg_hash', 'body_hash', 'opcode'),
    ),
  }),
}
