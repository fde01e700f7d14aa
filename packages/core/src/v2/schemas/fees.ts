import { bigintField, defaultField, listField, objectField } from '../../schema/fields.js'

const fees = objectField({
  in_fwd_fee: bigintField,
  storage_fee: bigintField,
  gas_fee: bigintField,
  fwd_fee: bigintField,
})

/** `query.fees`, nanocoins. `destination_fees` is most often empty. */
export const queryFees = objectField({
  source_fees: fees,
  destination_fees: defaultField(listField(fees), []),
})
