import * as field from '../../schema/fields.js'
import { blockId } from './block.js'
import { accountAddressOrNone, message, rawMessage } from './message.js'

const transactionId = field.object({ lt: field.bigint, hash: field.hash })

/** The id of a transaction; lt 0 with a hash of zeros or an empty hash means none. */
export const transactionIdOrNone = field.object({ lt: field.bigint, hash: field.emptyableHash })

const common = {
  '@type': field.optional(field.string),
  /** Missing in older responses of the Python server. */
  address: accountAddressOrNone,
  /** Unix seconds. */
  utime: field.int,
  /** The transaction, a bag of cells in base64. */
  data: field.bytes,
  /** The id: logical time and hash. */
  transaction_id: transactionId,
  /** All fees, nanocoins. */
  fee: field.bigint,
  /** Fee for storage, nanocoins. */
  storage_fee: field.bigint,
  /** All other fees, nanocoins. */
  other_fee: field.bigint,
}

/**
 * `ext.transaction`, `raw.transaction` of the Python server. `fee` is `storage_fee` plus `other_fee`. Only the C++ server
 * returns `account`. A tick-tock transaction has no `in_msg`. Source: API facts, part 1.5.
 */
export const transaction = field.object({
  ...common,
  /** Raw; C++ server only. */
  account: field.optional(field.address),
  /** The message that caused it; absent for a tick-tock transaction. */
  in_msg: field.emptyable(message),
  /** The messages that it sent. */
  out_msgs: field.withDefault(field.list(message), []),
})

/** An account's transactions, newest first. */
export const transactions = field.list(transaction)

const rawFields = {
  ...common,
  /** The message that caused it; absent for a tick-tock transaction. */
  in_msg: field.emptyable(rawMessage),
  /** The messages that it sent. */
  out_msgs: field.withDefault(field.list(rawMessage), []),
}

/** `raw.transactions`; `previous_transaction_id` is the start of the next page, lt 0 at the end. */
export const rawTransactions = field.object({
  transactions: field.list(field.object(rawFields)),
  /** The start of the next page; lt 0 at the end. */
  previous_transaction_id: transactionIdOrNone,
})

const blockTransactionsPage = { id: blockId, req_count: field.int, incomplete: field.bool }

/** `blocks.transactions` */
export const blockTransactions = field.object({
  ...blockTransactionsPage,
  transactions: field.list(
    field.object({
      mode: field.optional(field.int),
      /** Raw; C++ server only. */
      account: field.address,
      lt: field.bigint,
      hash: field.hash,
    }),
  ),
})

/** `blocks.transactionsExt` */
export const blockTransactionsExt = field.object({
  ...blockTransactionsPage,
  transactions: field.list(field.object({ ...rawFields, account: field.optional(field.address) })),
})
