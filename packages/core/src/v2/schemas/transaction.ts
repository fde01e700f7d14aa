import {
  addressField,
  bigintField,
  boolField,
  bytesField,
  hashField,
  intField,
  listField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { blockId } from './block.js'
import { accountAddress, message, rawMessage } from './message.js'

/** A transaction of an account; lt 0 and a hash of zeros where there is none. */
export const transactionId = objectField({ lt: bigintField, hash: hashField })

const common = {
  '@type': optionalField(textField),
  address: accountAddress,
  utime: intField,
  data: bytesField,
  transaction_id: transactionId,
  fee: bigintField,
  storage_fee: bigintField,
  other_fee: bigintField,
}

/**
 * `ext.transaction`, `raw.transaction` of the Python server. `fee` is `storage_fee` and `other_fee`. `account` comes
 * from the C++ server only. `in_msg` is absent for a tick-tock transaction. Source: API facts, part 1.5.
 */
export const transaction = objectField({
  ...common,
  account: optionalField(addressField),
  in_msg: optionalField(message),
  out_msgs: listField(message),
})

/** An account's transactions, newest first. */
export const transactions = listField(transaction)

const rawFields = { ...common, in_msg: optionalField(rawMessage), out_msgs: listField(rawMessage) }

/** `raw.transactions`; `previous_transaction_id` is the next to ask for, lt 0 at the end. */
export const rawTransactions = objectField({
  transactions: listField(objectField(rawFields)),
  previous_transaction_id: transactionId,
})

const blockTransactionsPage = { id: blockId, req_count: intField, incomplete: boolField }

/** `blocks.transactions` */
export const blockTransactions = objectField({
  ...blockTransactionsPage,
  transactions: listField(
    objectField({ mode: intField, account: addressField, lt: bigintField, hash: hashField }),
  ),
})

/** `blocks.transactionsExt` */
export const blockTransactionsExt = objectField({
  ...blockTransactionsPage,
  transactions: listField(objectField({ ...rawFields, account: optionalField(addressField) })),
})
