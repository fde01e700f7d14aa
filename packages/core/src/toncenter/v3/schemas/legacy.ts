import * as field from '../../schema/fields.js'
import { readStack } from '../stack.js'
import { ACCOUNT_STATUSES, suspended } from './account.js'

/** With `use_v2` the names are as in API v2, including `uninitialized`. */
const status = field.oneOf('status', [...ACCOUNT_STATUSES, 'uninitialized'])

const account = {
  balance: field.bigint,
  last_transaction_lt: field.optional(field.bigint),
  last_transaction_hash: field.optional(field.emptyableHash),
  status,
  suspended,
}

/** An account; balance 0, lt 0 and status `uninit` if the index has never seen it. Source: API facts, part 2.2. */
export const addressInformation = field.object({
  ...account,
  code: field.optional(field.bytes),
  data: field.optional(field.bytes),
  frozen_hash: field.optional(field.emptyableHash),
})

/** A wallet, or an account without a contract. */
export const walletInformation = field.object({
  ...account,
  wallet_type: field.optional(field.string),
  seqno: field.optional(field.int),
  wallet_id: field.optional(field.int),
})

const fees = field.object({
  in_fwd_fee: field.bigint,
  storage_fee: field.bigint,
  gas_fee: field.bigint,
  fwd_fee: field.bigint,
})

/** Fees in nanocoins. `destination_fees` is usually empty. */
export const estimatedFees = field.object({
  source_fees: fees,
  destination_fees: field.nullableList(fees),
})

/**
 * An accepted message. `message_hash` is the hash of the message as sent; its trace is found by the normalized hash
 * `message_hash_norm`. The hashes are not validated, since the node has accepted the message anyway.
 */
export const sentMessage = field.withDefault(
  field.lenient(
    '',
    field.object({
      message_hash: field.optional(field.string),
      message_hash_norm: field.optional(field.string),
    }),
  ),
  {},
)

/** The exit codes 0 and 1 mean success. */
export const runResult = field.object({
  gas_used: field.int,
  exit_code: field.int,
  stack: field.custom(readStack),
})
