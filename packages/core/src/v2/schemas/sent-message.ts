import {
  defaultField,
  hashField,
  lenientField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'

// A message that was accepted is on its way whatever the answer holds, so nothing in it is a reason to fail.

/** `ok` */
export const accepted = defaultField(
  lenientField('', objectField({ '@type': optionalField(textField) })),
  {},
)

/**
 * `raw.extMessageInfo`. `hash` is the hash of the message as sent, `hash_norm` the one of its normalised form, by
 * which v3 finds its trace; older answers of the Python server lack it. Source: API facts, part 1.6.
 */
export const sentMessage = defaultField(
  lenientField(
    '',
    objectField({
      hash: lenientField('hash', hashField),
      hash_norm: lenientField('hash_norm', hashField),
    }),
  ),
  {},
)
