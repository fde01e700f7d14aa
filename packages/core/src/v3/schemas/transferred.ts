import {
  addressField,
  anyField,
  bigintField,
  boolField,
  bytesField,
  emptyableHashField,
  hashField,
  intField,
  optionalField,
} from '../../schema/fields.js'

/** What transfers and burns of tokens have in common. Payloads are bags of cells; decoded ones are free JSON. */
export const transferred = {
  query_id: bigintField,
  transaction_hash: hashField,
  transaction_lt: bigintField,
  transaction_now: intField,
  transaction_aborted: boolField,
  response_destination: optionalField(addressField),
  custom_payload: optionalField(bytesField),
  decoded_custom_payload: optionalField(anyField),
  trace_id: optionalField(emptyableHashField),
}
