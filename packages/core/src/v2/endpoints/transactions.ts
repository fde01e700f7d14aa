import { optionalParam } from '../../schema/param.js'
import {
  accountHashParam,
  addressParam,
  hashParam,
  intParam,
  ltParam,
  seqnoParam,
  shardParam,
  workchainParam,
} from '../../schema/params.js'
import { paramsObject, together } from '../../schema/params-object.js'
import { archivalParam } from '../archival.js'
import { getEndpoint } from '../endpoint.js'

const MAX_TRANSACTIONS = 1000
const MAX_BLOCK_TRANSACTIONS = 10_000

const inBlock = paramsObject(
  {
    /** The workchain of the block; -1 is the masterchain. */
    workchain: workchainParam,
    /** The shard of the block. */
    shard: shardParam,
    /** The seqno of the block. */
    seqno: seqnoParam,
    /** The block's root hash, when it is known. */
    root_hash: optionalParam(hashParam),
    /** The block's file hash, when it is known. */
    file_hash: optionalParam(hashParam),
    /** Goes on after the transaction with this lt. @default the first one */
    after_lt: optionalParam(ltParam()),
    /** The account of that transaction. */
    after_hash: optionalParam(accountHashParam),
    /** How many at most. @default 40 */
    count: optionalParam(intParam(1, MAX_BLOCK_TRANSACTIONS)),
  },
  together('after_lt', 'after_hash'),
)

const history = {
  /** The account. */
  address: addressParam,
  /** How many at most; the Python server takes no more than 100. @default 10 */
  limit: optionalParam(intParam(1, MAX_TRANSACTIONS)),
  /** The hash of the transaction to start at. */
  hash: optionalParam(hashParam),
  /** Stops above this lt. @default 0, which is no bound */
  to_lt: optionalParam(ltParam()),
  /**
   * Whether to ask nodes that keep all history; `'auto'` asks them when the others do not go back far enough.
   * @default the server's own choice
   */
  archival: optionalParam(archivalParam),
}

const ofMessage = paramsObject({
  /** The account that sent the message. */
  source: addressParam,
  /** The account that received it. */
  destination: addressParam,
  /** The message's `created_lt`. */
  created_lt: ltParam(),
})

/** Transactions: of blocks, of accounts, of messages. */
export const transactions = {
  /**
   * Ids of the transactions of a block, 40 at a time.
   * While `incomplete`, ask again with `after_lt` and `after_hash` of the last one's `lt` and `account`; `after_hash`
   * is about the account, not the transaction.
   * @example
   * const block = { workchain: -1, shard: '-9223372036854775808', seqno: 39_984_096 }
   * const { transactions, incomplete } = await v2.getBlockTransactions(block)
   * for (const { account, lt } of transactions) console.log(account, lt)
   * if (incomplete) console.log('there are more; `iterate` has them all')
   */
  getBlockTransactions: getEndpoint('getBlockTransactions', {
    params: inBlock,
  }),

  /**
   * Transactions of a block, 40 at a time; pages as `getBlockTransactions` does.
   * @example
   * const block = { workchain: -1, shard: '-9223372036854775808', seqno: 39_984_096 }
   * for await (const { account, fee } of v2.getBlockTransactionsExt.iterate(block)) {
   *   console.log(account, fee)
   * }
   */
  getBlockTransactionsExt: getEndpoint('getBlockTransactionsExt', {
    params: inBlock,
  }),

  /**
   * Transactions of an account, newest first, 10 by default.
   * With `lt` and `hash` it starts at that transaction, that one included; it stops above `to_lt`. The Python server
   * takes a `limit` of 100 at most, the C++ one 1000. Amounts and fees are in nanocoins; `utime` is Unix seconds. An
   * account that was never used has none.
   * @throws {HistoryNotAvailableError} when the node does not go back far enough; see `archival`.
   * @example
   * const transactions = await v2.getTransactions({ address, limit: 20 })
   * for (const { utime, in_msg } of transactions) {
   *   console.log(new Date(utime * 1000), in_msg?.source, in_msg?.value)
   * }
   */
  getTransactions: getEndpoint('getTransactions', {
    params: paramsObject(
      {
        ...history,
        /** The lt of the transaction to start at, that one included. @default the newest one */
        // The C++ server reads lt 0 as no lt at all, and would start from the newest.
        lt: optionalParam(ltParam(1n)),
      },
      together('lt', 'hash'),
    ),
    whenUnused: () => [],
  }),

  /**
   * Transactions of an account, newest first, with the id of the one to go on with. C++ server only.
   * Messages have wrapped addresses here; `previous_transaction_id` has lt 0 at the end of the history.
   * @example
   * const page = await v2.getTransactionsStd({ address })
   * const next = page.previous_transaction_id
   * if (next.lt !== 0n) await v2.getTransactionsStd({ address, ...next })
   */
  getTransactionsStd: getEndpoint('getTransactionsStd', {
    params: paramsObject(
      {
        ...history,
        /** The lt of the transaction to start at, that one included. @default the newest one */
        lt: optionalParam(ltParam()),
      },
      together('lt', 'hash'),
    ),
    whenUnused: () => ({ transactions: [], previous_transaction_id: { lt: 0n, hash: '' } }),
    servers: 'cpp',
  }),

  /**
   * The transaction by which `destination` received a message.
   * @throws {NotFoundError} when there is none.
   * @example
   * const message = { source, destination, created_lt: 48_756_545_000_001n }
   * const { transaction_id } = await v2.tryLocateTx(message)
   * console.log(transaction_id.hash)
   */
  tryLocateTx: getEndpoint('tryLocateTx', {
    params: ofMessage,
  }),

  /**
   * The transaction by which `destination` received a message: `tryLocateTx` by another name.
   * @throws {NotFoundError} when there is none.
   * @example
   * const message = { source, destination, created_lt: 48_756_545_000_001n }
   * const { transaction_id } = await v2.tryLocateResultTx(message)
   * console.log(transaction_id.hash)
   */
  tryLocateResultTx: getEndpoint('tryLocateResultTx', {
    params: ofMessage,
  }),

  /**
   * The transaction by which `source` sent a message.
   * @throws {NotFoundError} when there is none.
   * @example
   * const message = { source, destination, created_lt: 48_756_545_000_001n }
   * const { transaction_id } = await v2.tryLocateSourceTx(message)
   * console.log(transaction_id.hash)
   */
  tryLocateSourceTx: getEndpoint('tryLocateSourceTx', {
    params: ofMessage,
  }),
}
