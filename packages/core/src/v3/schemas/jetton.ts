import { mapField, nullableListField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  anyField,
  bigintField,
  boolField,
  bytesField,
  lenientField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { knownTokens } from './address-book.js'
import { transferred } from './transferred.js'
import { stateHash } from './lenient.js'

/** A kind of jetton. `jetton_content` is whatever its maker wrote: values are most often texts. */
const jettonMaster = objectField({
  address: addressField,
  total_supply: bigintField,
  mintable: lenientField('jetton.mintable', boolField),
  /** Absent when nobody can mint any more. */
  admin_address: optionalField(addressField),
  jetton_content: lenientField('jetton.jetton_content', mapField(anyField)),
  jetton_wallet_code_hash: stateHash('jetton.jetton_wallet_code_hash'),
  code_hash: stateHash('jetton.code_hash'),
  data_hash: stateHash('jetton.data_hash'),
  last_transaction_lt: bigintField,
})

/** Of a jetton that is minted by claiming it. Dates are Unix seconds, bigint since the jetton's maker chose them. */
const mintlessInfo = objectField({
  amount: optionalField(bigintField),
  start_from: optionalField(bigintField),
  expire_at: optionalField(bigintField),
  custom_payload_api_uri: nullableListField(textField),
})

/** One account's jettons of one kind. `balance` is in the jetton's base units. */
const jettonWallet = objectField({
  address: addressField,
  balance: bigintField,
  owner: addressField,
  /** The jetton's master. */
  jetton: addressField,
  last_transaction_lt: bigintField,
  code_hash: stateHash('jetton.code_hash'),
  data_hash: stateHash('jetton.data_hash'),
  mintless_info: optionalField(mintlessInfo),
})

/**
 * A transfer of jettons. Those that failed are among them: only one without `transaction_aborted` may have moved
 * anything. `source` and `destination` are owners, `amount` is in the jetton's base units, `forward_ton_amount` in
 * nanocoins. Source: API facts, parts 2.2 and 2.3.
 */
const jettonTransfer = objectField({
  ...transferred,
  source: addressField,
  destination: addressField,
  amount: bigintField,
  source_wallet: addressField,
  jetton_master: addressField,
  forward_ton_amount: optionalField(bigintField),
  forward_payload: optionalField(bytesField),
  decoded_forward_payload: optionalField(anyField),
})

/** A burn of jettons; those that failed are among them. `amount` is in the jetton's base units. */
const jettonBurn = objectField({
  ...transferred,
  owner: addressField,
  jetton_wallet: addressField,
  jetton_master: addressField,
  amount: bigintField,
})

/** Kinds of jettons of a filter. */
export const jettonMasters = objectField({
  jetton_masters: presentListField(jettonMaster),
  ...knownTokens,
})

/** Jetton wallets of a filter. */
export const jettonWallets = objectField({
  jetton_wallets: presentListField(jettonWallet),
  ...knownTokens,
})

/** Transfers of a filter. */
export const jettonTransfers = objectField({
  jetton_transfers: presentListField(jettonTransfer),
  ...knownTokens,
})

/** Burns of a filter. */
export const jettonBurns = objectField({
  jetton_burns: presentListField(jettonBurn),
  ...knownTokens,
})
