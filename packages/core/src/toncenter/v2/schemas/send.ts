import * as field from '../../schema/fields.js'

// The node has accepted the message, so no field of these responses may cause an error.

/** `ok` */
export const accepted = field.withDefault(
  field.lenient('', field.object({ '@type': field.optional(field.string) })),
  {},
)

/**
 * `raw.extMessageInfo`. `hash` is the hash of the message as sent. API v3 finds the trace by the normalized hash
 * `hash_norm`, which older responses of the Python server lack. Source: API facts, part 1.6.
 */
export const sentMessage = field.withDefault(
  field.lenient(
    '',
    field.object({
      hash: field.lenient('hash', field.hash),
      hash_norm: field.lenient('hash_norm', field.hash),
    }),
  ),
  {},
)

const fees = field.object({
  in_fwd_fee: field.bigint,
  storage_fee: field.bigint,
  gas_fee: field.bigint,
  fwd_fee: field.bigint,
})

/** `query.fees`, nanocoins. `destination_fees` is usually empty. */
export const queryFees = field.object({
  source_fees: fees,
  destination_fees: field.withDefault(field.list(fees), []),
})
