import * as field from '../../schema/fields.js'

const addressOrNone = field.withDefault(field.address, '')

/** An account as tonlib wraps it; `account_address` is user-friendly, or empty for no account. */
export const accountAddress = field.object({ account_address: addressOrNone })

/** An account; absent reads as no account. */
export const accountAddressOrNone = field.withDefault(accountAddress, { account_address: '' })

/** An amount in another currency than the native coin. */
export const extraCurrency = field.object({ id: field.int, amount: field.bigint })

const text = field.object({ text: field.optional(field.bytes) })

/** The content of a message in base64: cells, or the bytes of a comment. */
const messageData = field.variants('msg_data', '@type', {
  'msg.dataRaw': field.object({
    body: field.optional(field.bytes),
    init_state: field.optional(field.bytes),
  }),
  'msg.dataText': text,
  'msg.dataEncryptedText': text,
  'msg.dataDecryptedText': text,
})

const common = {
  /** Missing in older responses of the Python server. */
  hash: field.optional(field.hash),
  /** In nanocoins. */
  value: field.bigint,
  /** Missing in older responses of the Python server. */
  extra_currencies: field.optional(field.list(extraCurrency)),
  /** Fee for forwarding, nanocoins. */
  fwd_fee: field.bigint,
  /** Fee for instant routing, nanocoins. */
  ihr_fee: field.bigint,
  /** The logical time at which it was sent. */
  created_lt: field.bigint,
  /** The hash of the body. */
  body_hash: field.optional(field.emptyableHash),
  /** The body. */
  msg_data: messageData,
}

/**
 * `ext.message`, `raw.message` of the Python server. `source` is empty for an incoming external message, `destination` for
 * an outgoing one. `message` is ambiguous and contains line breaks: read `msg_data` instead. Source: API facts, part 1.5.
 */
export const message = field.object({
  '@type': field.optional(field.string),
  ...common,
  /** The sender; empty for an incoming external message. */
  source: addressOrNone,
  /** The receiver; empty for an outgoing external message. */
  destination: addressOrNone,
  /** Ambiguous text; read `msg_data` instead. */
  message: field.optional(field.string),
  message_decode_error: field.optional(field.string),
})

/** `raw.message` of tonlib, with wrapped addresses. */
export const rawMessage = field.object({
  '@type': field.optional(field.string),
  ...common,
  source: accountAddressOrNone,
  destination: accountAddressOrNone,
})
