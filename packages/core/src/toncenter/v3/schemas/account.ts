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
  hash: stateHash('account_state.hash'),
  balance: field.optional(field.bigint),
  extra_currencies: extraCurrencies,
  account_status: field.optional(field.oneOf('account_status', ACCOUNT_STATUSES)),
  frozen_hash: stateHash('account_state.hash'),
  data_hash: stateHash('account_state.hash'),
  code_hash: stateHash('account_state.hash'),
  data_boc: field.optional(field.bytes),
  code_boc: field.optional(field.bytes),
})

const status = field.optional(field.oneOf('status', ACCOUNT_STATUSES))

/** `true` for an account whose contract the network does not run, by its configuration. */
export const suspended = field.lenient('account.suspended', field.bool)

const lastTransaction = {
  last_transaction_hash: field.optional(field.emptyableHash),
  last_transaction_lt: field.optional(field.bigint),
}

export const accountStateFull = field.object({
  address: field.address,
  account_state_hash: stateHash('account.account_state_hash'),
  balance: field.optional(field.bigint),
  extra_currencies: extraCurrencies,
  status,
  suspended,
  frozen_hash: stateHash('account.frozen_hash'),
  ...lastTransaction,
  data_hash: stateHash('account.data_hash'),
  code_hash: stateHash('account.code_hash'),
  data_boc: field.optional(field.bytes),
  code_boc: field.optional(field.bytes),
  /** Ids of its get-methods. */
  contract_methods: lenientList('account.contract_methods', field.int),
  /** Types of its contract, for example `wallet_v4r2`. */
  interfaces: lenientList('account.interfaces', field.string),
})

/** An account, with the fields of wallets if it is one. `wallet_id` is unsigned here and may be signed in API v2. */
export const walletState = field.object({
  address: field.address,
  is_wallet: field.bool,
  wallet_type: field.optional(field.string),
  seqno: field.optional(field.int),
  wallet_id: field.optional(field.int),
  is_signature_allowed: field.optional(field.bool),
  balance: field.optional(field.bigint),
  extra_currencies: extraCurrencies,
  status,
  suspended,
  code_hash: stateHash('account.code_hash'),
  ...lastTransaction,
})

/** An account with its balance in nanocoins. */
export const accountBalance = field.object({ account: field.address, balance: field.bigint })
