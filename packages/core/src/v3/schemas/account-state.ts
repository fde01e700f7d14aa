import {
  bigintField,
  bytesField,
  enumField,
  objectField,
  optionalField,
} from '../../schema/fields.js'
import { extraCurrencies } from './message.js'
import { stateHash } from './lenient.js'

/** States of an account as v3 names them; v2 says `uninitialized` for `uninit` and `nonexist`. */
export const ACCOUNT_STATUSES = ['nonexist', 'uninit', 'active', 'frozen'] as const

/**
 * An account before or after a transaction. Where the server has not indexed that state, only `hash` is known.
 * Source: API facts, part 2.3.
 */
export const accountState = objectField({
  hash: stateHash('account_state.hash'),
  balance: optionalField(bigintField),
  extra_currencies: extraCurrencies,
  account_status: optionalField(enumField('account_status', ACCOUNT_STATUSES)),
  frozen_hash: stateHash('account_state.hash'),
  data_hash: stateHash('account_state.hash'),
  code_hash: stateHash('account_state.hash'),
  data_boc: optionalField(bytesField),
  code_boc: optionalField(bytesField),
})
