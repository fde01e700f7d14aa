import * as field from '../../schema/fields.js'
import { stateHash } from './lenient.js'

/** A message that an order sends. `value` is nanocoins; `parsed_body` is arbitrary JSON with long integers as strings. */
const orderAction = field.object({
  destination: field.optional(field.address),
  value: field.optional(field.bigint),
  body_raw: field.lenient('order.actions.body_raw', field.bytes),
  parsed: field.optional(field.bool),
  /** The reason if the server could not parse it. */
  error: field.lenient('order.actions.error', field.string),
  parsed_body: field.optional(field.any),
  parsed_body_type: field.lenient('order.actions.parsed_body_type', field.string),
  send_mode: field.optional(field.int),
})

/** An order of a multisig wallet. `expiration_date` is Unix seconds, bigint because its creator chose it. */
export const multisigOrder = field.object({
  address: field.address,
  multisig_address: field.address,
  order_seqno: field.optional(field.bigint),
  threshold: field.optional(field.int),
  sent_for_execution: field.optional(field.bool),
  /** One bit per signer. */
  approvals_mask: field.optional(field.bigint),
  approvals_num: field.optional(field.int),
  expiration_date: field.optional(field.bigint),
  order_boc: field.optional(field.bytes),
  signers: field.nullableList(field.address),
  last_transaction_lt: field.bigint,
  code_hash: stateHash('multisig.code_hash'),
  data_hash: stateHash('multisig.data_hash'),
  /** With `parse_actions` only. */
  actions: field.optional(field.list(orderAction)),
})

/** A multisig wallet. Source: API facts, part 2.3. */
export const multisig = field.object({
  address: field.address,
  next_order_seqno: field.optional(field.bigint),
  threshold: field.optional(field.int),
  signers: field.nullableList(field.address),
  proposers: field.nullableList(field.address),
  last_transaction_lt: field.bigint,
  code_hash: stateHash('multisig.code_hash'),
  data_hash: stateHash('multisig.data_hash'),
  /** Empty without `include_orders`. */
  orders: field.nullableList(multisigOrder),
})
