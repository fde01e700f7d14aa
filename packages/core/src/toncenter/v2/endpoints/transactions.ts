import { createParam, optionalParam } from '../../schema/param.js'
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
import { together } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'

/**
 * Selects the nodes for history. `true`: archival nodes only. `false`: other nodes only. `'auto'`: any node first, and
 * archival nodes if it does not go back far enough. By default the server decides: the C++ server behaves like `'auto'`,
 * the Python one uses any node and fails. Source: API facts, part 1.5.
 */
const archivalParam = createParam<boolean | 'auto', boolean | 'auto'>(
  "true, false or 'auto'",
  (value) => (typeof value === 'boolean' || value === 'auto' ? value : undefined),
)

const inBlock = {
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
  /** Continues after the transaction with this lt. @default the first one */
  after_lt: optionalParam(ltParam()),
  /** The account of that transaction. */
  after_hash: optionalParam(accountHashParam),
  /** Maximum number of rows. @default 40 */
  count: optionalParam(intParam(1, 10_000)),
}

const afterOne = { rules: [together('after_lt', 'after_hash')] }

const history = {
  /** The account. */
  address: addressParam,
  /** Maximum number of rows; the Python server accepts up to 100. @default 10 */
  limit: optionalParam(intParam(1, 1000)),
  /** The hash of the transaction to start at. */
  hash: optionalParam(hashParam),
  /** Stops above this lt. @default 0 (no bound) */
  to_lt: optionalParam(ltParam()),
  /**
   * Selects archival nodes; `'auto'` uses them when other nodes do not go back far enough.
   * @default the server's own choice
   */
  archival: optionalParam(archivalParam),
}

const ofMessage = {
  /** The account that sent the message. */
  source: addressParam,
  /** The account that received it. */
  destination: addressParam,
  /** The message's `created_lt`. */
  created_lt: ltParam(),
}

/** Transactions: of blocks, of accounts, of messages. */
export const transactions = {
  /**
   * Returns the ids of the transactions of a block, 40 at a time.
   * While `incomplete` is `true`, call again with `after_lt` and `after_hash` set to `lt` and `account` of the last
   * one; `after_hash` is the account, not the transaction.
   * @example
   * const block = { workchain: -1, shard: '-9223372036854775808', seqno: 39_984_096 }
   * const { transactions, incomplete } = await v2.getBlockTransactions(block)
   * for (const { account, lt } of transactions) console.log(account, lt)
   * if (incomplete) console.log('more follow; `paginate` returns all')
   */
  getBlockTransactions: getEndpoint('getBlockTransactions', inBlock, afterOne),

  /**
   * Returns the transactions of a block, 40 at a time; pages as by `getBlockTransactions`.
   * @example
   * const block = { workchain: -1, shard: '-9223372036854775808', seqno: 39_984_096 }
   * for await (const { account, fee } of v2.getBlockTransactionsExt.paginate(block)) {
   *   console.log(account, fee)
   * }
   */
  getBlockTransactionsExt: getEndpoint('getBlockTransactionsExt', inBlock, afterOne),

  /**
   * Returns transactions of an account, newest first, 10 by default.
   * With `lt` and `hash` it starts at that transaction, inclusive; it stops above `to_lt`. The maximum `limit` is 100
   * for the Python server and 1000 for the C++ one. Amounts and fees are in nanocoins; `utime` is Unix seconds. An
   * account that was never used has no transactions.
   * @throws {ApiError} `ERR_TONPLUG_HISTORY_NOT_AVAILABLE` if the node does not go back far enough; see `archival`.
   * @example
   * const transactions = await v2.getTransactions({ address, limit: 20 })
   * for (const { utime, in_msg } of transactions) {
   *   console.log(new Date(utime * 1000), in_msg?.source, in_msg?.value)
   * }
   */
  getTransactions: getEndpoint(
    'getTransactions',
    {
      ...history,
      /** The lt of the transaction to start at, inclusive. @default the newest one */
      // The C++ server treats lt 0 as absent and would start from the newest.
      lt: optionalParam(ltParam(1n)),
    },
    { rules: [together('lt', 'hash')], whenUnused: () => [] },
  ),

  /**
   * Returns transactions of an account, newest first, with the id of the next one. C++ server only.
   * Messages have wrapped addresses; `previous_transaction_id` has lt 0 at the end of the history.
   * @example
   * const page = await v2.getTransactionsStd({ address })
   * const next = page.previous_transaction_id
   * if (next.lt !== 0n) await v2.getTransactionsStd({ address, ...next })
   */
  getTransactionsStd: getEndpoint(
    'getTransactionsStd',
    {
      ...history,
      /** The lt of the transaction to start at, inclusive. @default the newest one */
      lt: optionalParam(ltParam()),
    },
    {
      rules: [together('lt', 'hash')],
      whenUnused: () => ({ transactions: [], previous_transaction_id: { lt: 0n, hash: '' } }),
      servers: 'cpp',
    },
  ),

  /**
   * Returns the transaction in which `destination` received a message.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if there is no such transaction.
   * @example
   * const message = { source, destination, created_lt: 48_756_545_000_001n }
   * const { transaction_id } = await v2.tryLocateTx(message)
   * console.log(transaction_id.hash)
   */
  tryLocateTx: getEndpoint('tryLocateTx', ofMessage),

  /**
   * Returns the transaction in which `destination` received a message: another name of `tryLocateTx`.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if there is no such transaction.
   * @example
   * const message = { source, destination, created_lt: 48_756_545_000_001n }
   * const { transaction_id } = await v2.tryLocateResultTx(message)
   * console.log(transaction_id.hash)
   */
  tryLocateResultTx: getEndpoint('tryLocateResultTx', ofMessage),

  /**
   * Returns the transaction in which `source` sent a message.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if there is no such transaction.
   * @example
   * const message = { source, destination, created_lt: 48_756_545_000_001n }
   * const { transaction_id } = await v2.tryLocateSourceTx(message)
   * console.log(transaction_id.hash)
   */
  tryLocateSourceTx: getEndpoint('tryLocateSourceTx', ofMessage),
}
