import { mapField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  anyField,
  bigintField,
  boolField,
  bytesField,
  emptyableHashField,
  hashField,
  intField,
  lenientField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { knownTokens } from './address-book.js'
import { opcodeField } from './opcode.js'

/** Amounts of other currencies than the native coin, by the currency's id; absent where they cannot be read. */
export const extraCurrencies = lenientField('extra_currencies', mapField(bigintField))

/** A cell: its hash, its bytes, and what the server understands of them. `decoded` is free JSON. */
const messageContent = objectField({
  hash: optionalField(emptyableHashField),
  body: optionalField(bytesField),
  decoded: optionalField(anyField),
})

/**
 * A message. One from outside has no `source`, `value`, fees, `created_lt`, `created_at`, `bounce` and `bounced`, and
 * has `hash_norm`; one to outside has no `destination`. Amounts are nanocoins, `created_at` is Unix seconds.
 * Source: API facts, part 2.3.
 */
export const message = objectField({
  hash: hashField,
  /** Of a message from outside: the hash of its normalised form, by which it is found again. */
  hash_norm: optionalField(emptyableHashField),
  source: optionalField(addressField),
  destination: optionalField(addressField),
  value: optionalField(bigintField),
  value_extra_currencies: extraCurrencies,
  fwd_fee: optionalField(bigintField),
  ihr_fee: optionalField(bigintField),
  import_fee: optionalField(bigintField),
  created_lt: optionalField(bigintField),
  created_at: optionalField(intField),
  extra_flags: lenientField('message.extra_flags', textField),
  /** The first 32 bits of the body, as in `0x0f8a7ea5`. */
  opcode: lenientField('message.opcode', opcodeField),
  /** The opcode's name, when the server knows one. */
  decoded_opcode: lenientField('message.decoded_opcode', textField),
  ihr_disabled: lenientField('message.ihr_disabled', boolField),
  bounce: optionalField(boolField),
  /** Whether it came back because its receiver failed. */
  bounced: optionalField(boolField),
  /** The transaction that received it; in the answers of `/messages` only. */
  in_msg_tx_hash: optionalField(emptyableHashField),
  /** The transaction that sent it; in the answers of `/messages` only. */
  out_msg_tx_hash: optionalField(emptyableHashField),
  message_content: optionalField(messageContent),
  init_state: lenientField('message.init_state', messageContent),
})

/** Messages of a filter. */
export const messages = objectField({
  messages: presentListField(message),
  ...knownTokens,
})
