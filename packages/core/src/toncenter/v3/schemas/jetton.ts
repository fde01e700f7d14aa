import * as field from '../../schema/fields.js'
import { stateHash } from './lenient.js'

/** Common fields of token transfers and burns. Payloads are bags of cells; decoded ones are arbitrary JSON. */
export const transferred = {
  /** Chosen by the sender. */
  query_id: field.bigint,
  /** The transaction of the sender's jetton wallet, or of the NFT. */
  transaction_hash: field.hash,
  /** The logical time of that transaction. */
  transaction_lt: field.bigint,
  /** Unix seconds. */
  transaction_now: field.int,
  /** `true` if it failed: nothing was transferred or burned. */
  transaction_aborted: field.bool,
  /** The account that receives the rest of the attached coins. */
  response_destination: field.optional(field.address),
  /** A bag of cells in base64. */
  custom_payload: field.optional(field.bytes),
  /** Decoded by the server; any JSON. */
  decoded_custom_payload: field.optional(field.any),
  /** The hash of the first transaction of its trace. */
  trace_id: field.optional(field.emptyableHash),
}

/** A jetton master. Its creator chose `jetton_content`: values are usually strings. */
export const jettonMaster = field.object({
  /** Raw, in upper case. */
  address: field.address,
  /** In base units. */
  total_supply: field.bigint,
  /** `true` if more can be minted. */
  mintable: field.lenient('jetton.mintable', field.bool),
  /** Absent if minting is no longer possible. */
  admin_address: field.optional(field.address),
  /** Name, symbol, `decimals` and more, as its creator chose. */
  jetton_content: field.lenient('jetton.jetton_content', field.map(field.any)),
  /** The hash of the code of its wallets. */
  jetton_wallet_code_hash: stateHash('jetton.jetton_wallet_code_hash'),
  /** The hash of its code. */
  code_hash: stateHash('jetton.code_hash'),
  /** The hash of its data. */
  data_hash: stateHash('jetton.data_hash'),
  /** The logical time of its last transaction. */
  last_transaction_lt: field.bigint,
})

/** Data of a mintless jetton. Dates are Unix seconds, bigint because the jetton's creator chose them. */
const mintlessInfo = field.object({
  /** In base units. */
  amount: field.optional(field.bigint),
  /** Unix seconds. */
  start_from: field.optional(field.bigint),
  /** Unix seconds. */
  expire_at: field.optional(field.bigint),
  /** Servers that return the payload of a claim. */
  custom_payload_api_uri: field.nullableList(field.string),
})

/** A jetton wallet. `balance` is in the jetton's base units. */
export const jettonWallet = field.object({
  /** Raw, in upper case. */
  address: field.address,
  /** In base units. */
  balance: field.bigint,
  /** The owner of the wallet. */
  owner: field.address,
  /** The jetton's master. */
  jetton: field.address,
  /** The logical time of its last transaction. */
  last_transaction_lt: field.bigint,
  /** The hash of its code. */
  code_hash: stateHash('jetton.code_hash'),
  /** The hash of its data. */
  data_hash: stateHash('jetton.data_hash'),
  /** Only of jettons that are claimed instead of minted. */
  mintless_info: field.optional(mintlessInfo),
})

/**
 * A transfer of jettons. Failed transfers are included: only one without `transaction_aborted` may have moved jettons.
 * `source` and `destination` are owners, `amount` is in the jetton's base units, `forward_ton_amount` in
 * nanocoins. Source: API facts, parts 2.2 and 2.3.
 */
export const jettonTransfer = field.object({
  ...transferred,
  /** The owner that sends. */
  source: field.address,
  /** The owner that receives. */
  destination: field.address,
  /** In base units. */
  amount: field.bigint,
  /** The sender's jetton wallet. */
  source_wallet: field.address,
  /** The jetton. Compare it with the jetton that you accept. */
  jetton_master: field.address,
  /** Nanocoins that are forwarded with the notification of the receiver. */
  forward_ton_amount: field.optional(field.bigint),
  /** Payload for the receiver, for example a comment: a bag of cells in base64. */
  forward_payload: field.optional(field.bytes),
  /** Decoded by the server; any JSON. */
  decoded_forward_payload: field.optional(field.any),
})

/** A burn of jettons; failed burns are included. `amount` is in the jetton's base units. */
export const jettonBurn = field.object({
  ...transferred,
  /** The owner of the wallet. */
  owner: field.address,
  /** The owner's jetton wallet. */
  jetton_wallet: field.address,
  /** The jetton. Compare it with the jetton that you accept. */
  jetton_master: field.address,
  /** In base units. */
  amount: field.bigint,
})
