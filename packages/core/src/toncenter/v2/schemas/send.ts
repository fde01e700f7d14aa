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
      /** The hash of the message as sent. */
      hash: field.lenient('hash', field.hash),
      /** The normalized hash, by which API v3 finds the trace. */
      hash_norm: field.lenient('hash_norm', field.hash),
    }),
  ),
  {},
)

const fees = field.object({
  /** Fee for the import of the message, nanocoins. */
  in_fwd_fee: field.bigint,
  /** Nanocoins. */
  storage_fee: field.bigint,
  /** Nanocoins. */
  gas_fee: field.bigint,
  /** Nanocoins. */
  fwd_fee: field.bigint,
})

/** `query.fees`, nanocoins. `destination_fees` is usually empty. */
export const queryFees = field.object({
  /** Fees of the account. */
  source_fees: fees,
  /** Fees of the receivers; usually empty. */
  destination_fees: field.withDefault(field.list(fees), []),
})
