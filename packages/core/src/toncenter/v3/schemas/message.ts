import * as field from '../../schema/fields.js'
import { readOpcode } from '../../schema/readers.js'

/** Amounts of extra currencies by currency id; absent if unreadable. */
export const extraCurrencies = field.lenient('extra_currencies', field.map(field.bigint))

/**
 * The first 32 bits of a body, for example `0x0f8a7ea5`. The official description has a number, which reads as the same
 * string. Source: API facts, part 0.
 */
export const opcodeField = field.custom(readOpcode)

/** A cell: its hash, its bytes, and their decoded form as arbitrary JSON. */
const messageContent = field.object({
  /** The hash of the message. */
  hash: field.optional(field.emptyableHash),
  /** A bag of cells in base64. */
  body: field.optional(field.bytes),
  /** Decoded by the server; any JSON. */
  decoded: field.optional(field.any),
})

/**
 * A message. An incoming external one has `hash_norm`, but no `source`, `value`, fees, `created_lt`, `created_at`, `bounce`
 * and `bounced`; an outgoing one has no `destination`. Amounts are nanocoins, `created_at` is Unix seconds.
 * Source: API facts, part 2.3.
 */
export const message = field.object({
  /** The hash of the message. */
  hash: field.hash,
  /** The normalized hash of an external message. */
  hash_norm: field.optional(field.emptyableHash),
  /** The sender; absent in an incoming external message. */
  source: field.optional(field.address),
  /** The receiver; absent in an outgoing external message. */
  destination: field.optional(field.address),
  /** In nanocoins. */
  value: field.optional(field.bigint),
  /** Amounts in other currencies, by currency id. */
  value_extra_currencies: extraCurrencies,
  /** Fee for forwarding, nanocoins. */
  fwd_fee: field.optional(field.bigint),
  /** Fee for instant routing, nanocoins. */
  ihr_fee: field.optional(field.bigint),
  /** Fee of an incoming external message, nanocoins. */
  import_fee: field.optional(field.bigint),
  /** The logical time at which it was sent. */
  created_lt: field.optional(field.bigint),
  /** Unix seconds. */
  created_at: field.optional(field.int),
  /** Flags of new message formats, in decimal digits. */
  extra_flags: field.lenient('message.extra_flags', field.string),
  /** The first 32 bits of the body, for example `0x0f8a7ea5`. */
  opcode: field.lenient('message.opcode', opcodeField),
  /** The opcode's name, if the server knows it. */
  decoded_opcode: field.lenient('message.decoded_opcode', field.string),
  /** `true` if instant routing is off. */
  ihr_disabled: field.lenient('message.ihr_disabled', field.bool),
  /** `true` if it is returned when its receiver fails. */
  bounce: field.optional(field.bool),
  /** `true` if it was returned because its receiver failed. */
  bounced: field.optional(field.bool),
  /** The transaction that received it; only in responses of `/messages`. */
  in_msg_tx_hash: field.optional(field.emptyableHash),
  /** The transaction that sent it; only in responses of `/messages`. */
  out_msg_tx_hash: field.optional(field.emptyableHash),
  /** The body. */
  message_content: field.optional(messageContent),
  /** The code and data with which the receiver is deployed. */
  init_state: field.lenient('message.init_state', messageContent),
})

/** Names of opcodes, and bodies as arbitrary JSON, in the order of the parameters. */
export const decoded = field.object({
  opcodes: field.nullableList(field.string),
  bodies: field.nullableList(field.nullableMap(field.any)),
})
