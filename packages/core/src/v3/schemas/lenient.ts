import type * as z from 'zod/mini'
import { defaultField, hashField, lenientField, listField } from '../../schema/fields.js'

// Nobody pays by these fields: one of them that cannot be read must not lose a whole page of rows.

/** The hash of a state, of code or of data. @param path for drift */
export function stateHash(path: string) {
  return lenientField(path, hashField)
}

/** A list that is empty where it is absent, null, or cannot be read. @param path for drift */
export function lenientList<Item extends z.ZodMiniType>(path: string, item: Item) {
  return defaultField(lenientField(path, listField(item)), [])
}
