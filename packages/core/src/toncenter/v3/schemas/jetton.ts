import * as field from '../../schema/fields.js'
import { stateHash } from './lenient.js'

/** Common fields of token transfers and burns. Payloads are bags of cells; decoded ones are arbitrary JSON. */
export const transferred = {
  query_id: field.bigint,
  transaction_hash: field.hash,
  transaction_lt: field.bigint,
  transaction_now: field.int,
  transaction_aborted: field.bool,
  response_destination: field.optional(field.address),
  custom_payload: field.optional(field.bytes),
  decoded_custom_payload: field.optional(field.any),
  trace_id: field.optional(field.emptyableHash),
}

/** A jetton master. Its creator chose `jetton_content`: values are usually strings. */
export const jettonMaster = field.object({
  address: field.address,
  total_supply: field.bigint,
  mintable: field.lenient('jetton.mintable', field.bool),
  /** Absent if minting is no longer possible. */
  admin_address: field.optional(field.address),
  jetton_content: field.lenient('jetton.jetton_content', field.map(field.any)),
  jetton_wallet_code_hash: stateHash('jetton.jetton_wallet_code_hash'),
  code_hash: stateHash('jetton.code_hash'),
  data_hash: stateHash('jetton.data_hash'),
  last_transaction_lt: field.bigint,
})

/** Data of a mintless jetton. Dates are Unix seconds, bigint because the jetton's creator chose them. */
const mintlessInfo = field.object({
  amount: field.optional(field.bigint),
  start_from: field.optional(field.bigint),
  expire_at: field.optional(field.bigint),
  custom_payload_api_uri: field.nullableList(field.string),
})

/** A jetton wallet. `balance` is in the jetton's base units. */
export const jettonWallet = field.object({
  address: field.address,
  balance: field.bigint,
  owner: field.address,
  /** The jetton's master. */
  jetton: field.address,
  last_transaction_lt: field.bigint,
  code_hash: stateHash('jetton.code_hash'),
  data_hash: stateHash('jetton.data_hash'),
  mintless_info: field.optional(mintlessInfo),
})

/**
 * A transfer of jettons. Failed transfers are included: only one without `transaction_aborted` may have moved jettons.
 * `source` and `destination` are owners, `amount` is in the jetton's base units, `forward_ton_amount` in
 * nanocoins. Source: API facts, parts 2.2 and 2.3.
 */
export const jettonTransfer = field.object({
  ...transferred,
  source: field.address,
  destination: field.address,
  amount: field.bigint,
  source_wallet: field.address,
  jetton_master: field.address,
  forward_ton_amount: field.optional(field.bigint),
  forward_payload: field.optional(field.bytes),
  decoded_forward_payload: field.optional(field.any),
})

/** A burn of jettons; failed burns are included. `amount` is in the jetton's base units. */
export const jettonBurn = field.object({
  ...transferred,
  owner: field.address,
  jetton_wallet: field.address,
  jetton_master: field.address,
  amount: field.bigint,
})
