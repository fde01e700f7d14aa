import {
  addressField,
  bigintField,
  boolField,
  bytesField,
  defaultField,
  emptyableField,
  emptyableHashField,
  hashField,
  intField,
  listField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { blockId } from './block.js'
import { accountAddressOrNone, message, rawMessage } from './message.js'

const transactionId = objectField({ lt: bigintField, hash: hashField })

/** A transaction of an account; lt 0 and a hash of zeros, or none, where there is none. */
export const transactionIdOrNone = objectField({ lt: bigintField, hash: emptyableHashField })

const common = {
  '@type': optionalField(textField),
  /** Missing in older answers of the Python server. */
  address: accountAddressOrNone,
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
  in_msg: emptyableField(message),
  out_msgs: defaultField(listField(message), []),
})

/** An account's transactions, newest first. */
export const transactions = listField(transaction)

const rawFields = {
  ...common,
  in_msg: emptyableField(rawMessage),
  out_msgs: defaultField(listField(rawMessage), []),
}

/** `raw.transactions`; `previous_transaction_id` is the next to ask for, lt 0 at the end. */
export const rawTransactions = objectField({
  transactions: listField(objectField(rawFields)),
  previous_transaction_id: transactionIdOrNone,
})

const blockTransactionsPage = { id: blockId, req_count: intField, incomplete: boolField }

/** `blocks.transactions` */
export const blockTransactions = objectField({
  ...blockTransactionsPage,
  transactions: listField(
    objectField({
      mode: optionalField(intField),
      account: addressField,
      lt: bigintField,
      hash: hashField,
    }),
  ),
})

/** `blocks.transactionsExt` */
export const blockTransactionsExt = objectField({
  ...blockTransactionsPage,
  transactions: listField(objectField({ ...rawFields, account: optionalField(addressField) })),
})
