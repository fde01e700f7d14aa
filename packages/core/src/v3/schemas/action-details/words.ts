import {
  addressField,
  bigintField,
  boolField,
  bytesField,
  intField,
  lenientField,
  optionalField,
  textField,
} from '../../../schema/fields.js'

// Every field of the details may be null or absent: which ones are depends on the contracts, not on the type alone.
// What comes as decimal digits in a text reads as bigint, what comes as a number as number. What cannot be read is left
// out alone, but for an account: an asset that is absent is the native coin, so one that is odd leaves nothing of the
// details.

/** An account; of an asset, absent for the native coin. */
export const address = optionalField(addressField)

/** An amount, a price, a query id, or another unbounded integer. */
export const bigint = lenientField('action.details', bigintField)

/** A small number, such as an exit code. */
export const int = lenientField('action.details', intField)

/** Any text. */
export const text = lenientField('action.details', textField)

/** Yes or no. */
export const flag = lenientField('action.details', boolField)

/** Bytes in base64: a bag of cells. */
export const bytes = lenientField('action.details', bytesField)
