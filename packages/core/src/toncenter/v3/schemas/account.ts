import * as field from '../../schema/fields.js'
import { extraCurrencies } from './message.js'
import { lenientList, stateHash } from './lenient.js'

/** States of an account in API v3. API v2 has `uninitialized` for `uninit` and `nonexist`. */
export const ACCOUNT_STATUSES = ['nonexist', 'uninit', 'active', 'frozen'] as const

/**
 * An account before or after a transaction. If the server has not indexed that state, only `hash` is present.
 * Source: API facts, part 2.3.
 */
export const accountState = field.object({
  /** The hash of the whole state. */
  hash: stateHash('account_state.hash'),
  /** In nanocoins. */
  balance: field.optional(field.bigint),
  /** Balances in other currencies, by currency id. */
  extra_currencies: extraCurrencies,
  /** `active` has a contract; `uninit` has only a balance. */
  account_status: field.optional(field.oneOf('account_status', ACCOUNT_STATUSES)),
  /** The hash of the state of a frozen account. */
  frozen_hash: stateHash('account_state.hash'),
  /** The hash of its data. */
  data_hash: stateHash('account_state.hash'),
  /** The hash of its code. */
  code_hash: stateHash('account_state.hash'),
  /** Its data, a bag of cells in base64. */
  data_boc: field.optional(field.bytes),
  /** Its code, a bag of cells in base64. */
  code_boc: field.optional(field.bytes),
})

const status = field.optional(field.oneOf('status', ACCOUNT_STATUSES))

/** `true` for an account whose contract the network does not run, by its configuration. */
export const suspended = field.lenient('account.suspended', field.bool)

const lastTransaction = {
  /** The hash of its last transaction. */
  last_transaction_hash: field.optional(field.emptyableHash),
  /** The logical time of its last transaction. */
  last_transaction_lt: field.optional(field.bigint),
}

export const accountStateFull = field.object({
  /** Raw, in upper case. */
  address: field.address,
  /** The hash of the whole state. */
  account_state_hash: stateHash('account.account_state_hash'),
  /** In nanocoins. */
  balance: field.optional(field.bigint),
  /** Balances in other currencies, by currency id. */
  extra_currencies: extraCurrencies,
  status,
  suspended,
  /** The hash of the state of a frozen account. */
  frozen_hash: stateHash('account.frozen_hash'),
  ...lastTransaction,
  /** The hash of its data. */
  data_hash: stateHash('account.data_hash'),
  /** The hash of its code. */
  code_hash: stateHash('account.code_hash'),
  /** Its data, a bag of cells in base64. */
  data_boc: field.optional(field.bytes),
  /** Its code, a bag of cells in base64. */
  code_boc: field.optional(field.bytes),
  /** Ids of its get-methods. */
  contract_methods: lenientList('account.contract_methods', field.int),
  /** Types of its contract, for example `wallet_v4r2`. */
  interfaces: lenientList('account.interfaces', field.string),
})

/** An account, with the fields of wallets if it is one. `wallet_id` is unsigned here and may be signed in API v2. */
export const walletState = field.object({
  /** Raw, in upper case. */
  address: field.address,
  /** `true` if its contract is a known wallet. */
  is_wallet: field.bool,
  /** For example `wallet v4 r2`. */
  wallet_type: field.optional(field.string),
  /** The number of the next message that it accepts. */
  seqno: field.optional(field.int),
  /** The id that tells wallets of one key apart. */
  wallet_id: field.optional(field.int),
  /** `false` for a W5 wallet that accepts only requests of its extensions. */
  is_signature_allowed: field.optional(field.bool),
  /** In nanocoins. */
  balance: field.optional(field.bigint),
  /** Balances in other currencies, by currency id. */
  extra_currencies: extraCurrencies,
  status,
  suspended,
  /** The hash of its code. */
  code_hash: stateHash('account.code_hash'),
  ...lastTransaction,
})

/** An account with its balance in nanocoins. */
export const accountBalance = field.object({ account: field.address, balance: field.bigint })
