import * as field from '../../schema/fields.js'
import { accountState, ACCOUNT_STATUSES } from './account.js'
import { blockId } from './block.js'
import { extraCurrencies, message } from './message.js'
import { description } from './transaction-description.js'

/** Only `finalized` is permanent. Absent from servers before mid-2026. */
export const finality = field.optional(
  field.oneOf('finality', ['pending', 'confirmed', 'finalized']),
)

const fields = field.object({
  /** Raw, in upper case. */
  account: field.address,
  /** The hash of the transaction. */
  hash: field.hash,
  /** Logical time: the order of the account's transactions. */
  lt: field.bigint,
  /** Unix seconds. */
  now: field.int,
  /** The masterchain block that contains it; absent while it is pending. */
  mc_block_seqno: field.optional(field.int),
  /** The hash of the first transaction of its trace. */
  trace_id: field.optional(field.emptyableHash),
  /** The hash of the message that started its trace; only of pending transactions. */
  trace_external_hash: field.lenient('transaction.trace_external_hash', field.hash),
  /** The hash of the account's transaction before it. */
  prev_trans_hash: field.optional(field.emptyableHash),
  /** The logical time of the account's transaction before it; 0 for the first one. */
  prev_trans_lt: field.optional(field.bigint),
  /** State of the account before. */
  orig_status: field.optional(field.oneOf('orig_status', ACCOUNT_STATUSES)),
  /** State of the account after. */
  end_status: field.optional(field.oneOf('end_status', ACCOUNT_STATUSES)),
  /** In nanocoins. */
  total_fees: field.bigint,
  /** Fees in other currencies, by currency id. */
  total_fees_extra_currencies: extraCurrencies,
  /** Outcome by phases. */
  description,
  /** The block that contains it. */
  block_ref: field.optional(blockId),
  /** The message that caused it; absent for a tick-tock transaction. */
  in_msg: field.optional(message),
  /** The messages that it sent. */
  out_msgs: field.nullableList(message),
  /** The account before. */
  account_state_before: field.optional(accountState),
  /** The account after. */
  account_state_after: field.optional(accountState),
  /** `true` if it is emulated and not yet part of a block. */
  emulated: field.optional(field.bool),
  /** Only `finalized` is permanent. Absent from servers before mid-2026. */
  finality,
})

/**
 * A transaction. `account`, `source` and `destination` are raw addresses in upper case, amounts and fees nanocoins,
 * `now` is Unix seconds. A tick-tock transaction has no `in_msg`.
 *
 * `description.aborted` does not mean that money was lost: a plain transfer to an account without a contract is aborted,
 * because there is no code to run, and its value has arrived. Such a transaction has `compute_ph.skipped` with the reason
 * `no_state` and no `bounce` phase.
 *
 * For accounts with free gas (special accounts, for example in tick-tock transactions) the server swaps two fields:
 * `compute_ph.gas_used` is 0, and `compute_ph.gas_fees` is the gas. The charged amount is `total_fees`.
 * Source: API facts, parts 2.3 and 4.3.
 */
export interface Transaction extends field.Output<typeof fields> {}

// The type has a name, since declarations would repeat an inferred type in every response that contains transactions.
export const transaction: field.Schema<Transaction> = fields
