import * as field from '../../schema/fields.js'
import { knownAddresses } from './address-book.js'

/** The transaction that something happened in. `utime` is Unix seconds. */
export const inTransaction = {
  utime: field.int,
  tx_hash: field.hash,
  tx_lt: field.bigint,
}

/** A validator: its account, and its keys in hex. Unknown parts are absent. */
export const validatorKeys = {
  stake_holder_address: field.optional(field.address),
  validator_pubkey: field.optional(field.string),
  adnl_addr: field.optional(field.string),
}

/** The time bounds of the request, Unix seconds. */
export const requestedTime = {
  start_utime: field.optional(field.int),
  end_utime: field.optional(field.int),
  ...knownAddresses,
}
