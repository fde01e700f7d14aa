import {
  addressField,
  bigintField,
  bytesField,
  defaultField,
  emptyableHashField,
  hashField,
  intField,
  listField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { variantField } from '../../schema/variants.js'

const addressOrNone = defaultField(addressField, '')

/** An account as tonlib wraps it; `account_address` is friendly, or empty where there is none. */
export const accountAddress = objectField({ account_address: addressOrNone })

/** The same; an empty one where it is missing. */
export const accountAddressOrNone = defaultField(accountAddress, { account_address: '' })

/** An amount in another currency than the native coin. */
export const extraCurrency = objectField({ id: intField, amount: bigintField })

const text = objectField({ text: optionalField(bytesField) })

/** What a message carries, base64: cells as they are, or the text of a comment. */
const messageData = variantField('msg_data', '@type', {
  'msg.dataRaw': objectField({
    body: optionalField(bytesField),
    init_state: optionalField(bytesField),
  }),
  'msg.dataText': text,
  'msg.dataEncryptedText': text,
  'msg.dataDecryptedText': text,
})

const common = {
  /** Missing in older answers of the Python server. */
  hash: optionalField(hashField),
  value: bigintField,
  /** Missing in older answers of the Python server. */
  extra_currencies: optionalField(listField(extraCurrency)),
  fwd_fee: bigintField,
  ihr_fee: bigintField,
  created_lt: bigintField,
  body_hash: optionalField(emptyableHashField),
  msg_data: messageData,
}

/**
 * `ext.message`, `raw.message` of the Python server. `source` is empty for a message from outside, `destination` for
 * one to outside. `message` is ambiguous, with line breaks inside: read `msg_data` instead. Source: API facts, part 1.5.
 */
export const message = objectField({
  '@type': optionalField(textField),
  ...common,
  source: addressOrNone,
  destination: addressOrNone,
  message: optionalField(textField),
  message_decode_error: optionalField(textField),
})

/** `raw.message` as tonlib has it, with wrapped addresses. */
export const rawMessage = objectField({
  '@type': optionalField(textField),
  ...common,
  source: accountAddressOrNone,
  destination: accountAddressOrNone,
})
