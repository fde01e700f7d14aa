import type * as z from 'zod/mini'
import { nullableListField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  bigintField,
  boolField,
  emptyableHashField,
  enumField,
  hashField,
  intField,
  lenientField,
  objectField,
  optionalField,
} from '../../schema/fields.js'
import { accountState, ACCOUNT_STATUSES } from './account-state.js'
import { knownAddresses } from './address-book.js'
import { blockId } from './block.js'
import { finality } from './finality.js'
import { extraCurrencies, message } from './message.js'
import { description } from './transaction-description.js'

const fields = objectField({
  account: addressField,
  hash: hashField,
  lt: bigintField,
  now: intField,
  /** The masterchain block with it; absent while it is in none. */
  mc_block_seqno: optionalField(intField),
  /** The hash of the first transaction of its trace. */
  trace_id: optionalField(emptyableHashField),
  /** The hash of the message that began its trace; pending ones only. */
  trace_external_hash: lenientField('transaction.trace_external_hash', hashField),
  prev_trans_hash: optionalField(emptyableHashField),
  prev_trans_lt: optionalField(bigintField),
  orig_status: optionalField(enumField('orig_status', ACCOUNT_STATUSES)),
  end_status: optionalField(enumField('end_status', ACCOUNT_STATUSES)),
  total_fees: bigintField,
  total_fees_extra_currencies: extraCurrencies,
  description,
  block_ref: optionalField(blockId),
  in_msg: optionalField(message),
  out_msgs: nullableListField(message),
  account_state_before: optionalField(accountState),
  account_state_after: optionalField(accountState),
  /** Whether it is a forecast, not yet part of any block. */
  emulated: optionalField(boolField),
  finality,
})

/**
 * A transaction. `account`, `source` and `destination` are raw addresses in upper case, amounts and fees nanocoins,
 * `now` is Unix seconds. A tick-tock transaction has no `in_msg`.
 *
 * `description.aborted` is no verdict about money: a plain transfer to an account without a contract is aborted, since
 * there is no code to run, and its value has arrived all the same. Such a one has `compute_ph.skipped` with the reason
 * `no_state` and no `bounce` phase.
 *
 * Of accounts whose gas costs nothing (special accounts, as in tick-tock transactions) the server swaps two fields:
 * `compute_ph.gas_used` is 0, and the gas stands in `compute_ph.gas_fees`. What was charged is in `total_fees`.
 * Source: API facts, parts 2.3 and 4.3.
 */
export interface Transaction extends z.output<typeof fields> {}

// The type has a name, since the inferred one would be written out wherever transactions are part of an answer.
/** A transaction. */
export const transaction: z.ZodMiniType<Transaction> = fields

/** Transactions of a filter. */
export const transactions = objectField({
  transactions: presentListField(transaction),
  ...knownAddresses,
})
