import { nullableListField } from '../../schema/collections.js'
import {
  bigintField,
  bytesField,
  defaultField,
  emptyableHashField,
  enumField,
  intField,
  lenientField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { stackField } from '../stack-fields.js'
import { ACCOUNT_STATUSES } from './account-state.js'

/** With `use_v2` the words are those of v2, `uninitialized` among them. */
const status = enumField('status', [...ACCOUNT_STATUSES, 'uninitialized'])

const account = {
  balance: bigintField,
  last_transaction_lt: optionalField(bigintField),
  last_transaction_hash: optionalField(emptyableHashField),
  status,
}

/** An account. One that the index has never seen has balance 0, lt 0 and the status `uninit`. Source: API facts, part 2.2. */
export const addressInformation = objectField({
  ...account,
  code: optionalField(bytesField),
  data: optionalField(bytesField),
  frozen_hash: optionalField(emptyableHashField),
})

/** A wallet, or an account without a contract. */
export const walletInformation = objectField({
  ...account,
  wallet_type: optionalField(textField),
  seqno: optionalField(intField),
  wallet_id: optionalField(intField),
})

const fees = objectField({
  in_fwd_fee: bigintField,
  storage_fee: bigintField,
  gas_fee: bigintField,
  fwd_fee: bigintField,
})

/** Fees in nanocoins. `destination_fees` is most often empty. */
export const estimatedFees = objectField({
  source_fees: fees,
  destination_fees: nullableListField(fees),
})

/**
 * A message that was taken. `message_hash` is the hash of the message as sent, `message_hash_norm` the one of its
 * normalised form, by which its trace is found. The hashes are not checked: the message is on its way whatever they are.
 */
export const sentMessage = defaultField(
  lenientField(
    '',
    objectField({
      message_hash: optionalField(textField),
      message_hash_norm: optionalField(textField),
    }),
  ),
  {},
)

/** The exit codes 0 and 1 are success. */
export const runResult = objectField({
  gas_used: intField,
  exit_code: intField,
  stack: stackField,
})
