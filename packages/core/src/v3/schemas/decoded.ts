import { nullableListField, nullableMapField } from '../../schema/collections.js'
import { anyField, objectField, textField } from '../../schema/fields.js'

/** Names of opcodes, and bodies as free JSON, in the order asked for. */
export const decoded = objectField({
  opcodes: nullableListField(textField),
  bodies: nullableListField(nullableMapField(anyField)),
})
