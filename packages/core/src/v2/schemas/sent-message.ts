import { hashField, objectField, optionalField, textField } from '../../schema/fields.js'

/** `ok` */
export const accepted = objectField({ '@type': optionalField(textField) })

/**
 * `raw.extMessageInfo`. `hash` is the hash of the message as sent, `hash_norm` the one of its normalised form, by
 * which v3 finds its trace; older answers of the Python server lack it. Source: API facts, part 1.6.
 */
export const sentMessage = objectField({ hash: hashField, hash_norm: optionalField(hashField) })
