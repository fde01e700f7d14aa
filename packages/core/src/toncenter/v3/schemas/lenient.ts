import * as field from '../../schema/fields.js'

// No payment depends on these fields. An unreadable one must not lose a page of rows.

/** The hash of a state, of code or of data. @param path for tests */
export function stateHash(path: string) {
  return field.lenient(path, field.hash)
}

/** A list; reads as empty if it is absent, null or unreadable. @param path for tests */
export function lenientList<Item>(path: string, item: field.Schema<Item>) {
  return field.withDefault(field.lenient(path, field.list(item)), [])
}

// Fields of action details. Each may be null or absent: the contracts decide which ones exist, not the type alone. An
// unreadable field is left out alone, except an account: an absent asset means the native coin, so a malformed account
// leaves out the details as a whole.

/** An account. An absent asset is the native coin. */
export const address = field.optional(field.address)

/** An amount, a price, a query id, or another unbounded integer. */
export const bigint = field.lenient('action.details', field.bigint)

/** A small number, for example an exit code. */
export const int = field.lenient('action.details', field.int)

export const string = field.lenient('action.details', field.string)

export const flag = field.lenient('action.details', field.bool)

export const bytes = field.lenient('action.details', field.bytes)
