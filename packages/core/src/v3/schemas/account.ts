import { presentListField } from '../../schema/collections.js'
import {
  addressField,
  bigintField,
  boolField,
  bytesField,
  emptyableHashField,
  enumField,
  intField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { ACCOUNT_STATUSES } from './account-state.js'
import { knownTokens } from './address-book.js'
import { extraCurrencies } from './message.js'
import { lenientList, stateHash } from './lenient.js'

const status = optionalField(enumField('status', ACCOUNT_STATUSES))

const lastTransaction = {
  last_transaction_hash: optionalField(emptyableHashField),
  last_transaction_lt: optionalField(bigintField),
}

/** An account as it is now. */
const accountStateFull = objectField({
  address: addressField,
  account_state_hash: stateHash('account.account_state_hash'),
  balance: optionalField(bigintField),
  extra_currencies: extraCurrencies,
  status,
  frozen_hash: stateHash('account.frozen_hash'),
  ...lastTransaction,
  data_hash: stateHash('account.data_hash'),
  code_hash: stateHash('account.code_hash'),
  data_boc: optionalField(bytesField),
  code_boc: optionalField(bytesField),
  /** Ids of its get-methods. */
  contract_methods: lenientList('account.contract_methods', intField),
  /** What its contract is, as in `wallet_v4r2`. */
  interfaces: lenientList('account.interfaces', textField),
})

/** Accounts, in no order. One that the index has never seen is missing. */
export const accountStates = objectField({
  accounts: presentListField(accountStateFull),
  ...knownTokens,
})

/** An account and, when it is a wallet, that wallet. `wallet_id` is unsigned here and may be signed in API v2. */
const walletState = objectField({
  address: addressField,
  is_wallet: boolField,
  wallet_type: optionalField(textField),
  seqno: optionalField(intField),
  wallet_id: optionalField(intField),
  is_signature_allowed: optionalField(boolField),
  balance: optionalField(bigintField),
  extra_currencies: extraCurrencies,
  status,
  code_hash: stateHash('account.code_hash'),
  ...lastTransaction,
})

/** Accounts, in no order. One that the index has never seen is missing. */
export const walletStates = objectField({
  wallets: presentListField(walletState),
  ...knownTokens,
})

/** Accounts with their balances in nanocoins. */
export const accountBalances = presentListField(
  objectField({ account: addressField, balance: bigintField }),
)
