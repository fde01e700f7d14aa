import {
  addressField,
  boolField,
  enumField,
  hashField,
  objectField,
  textField,
} from '../../schema/fields.js'

const spellings = objectField({ b64: addressField, b64url: addressField })

/** `ext.utils.detectedAddress` */
export const detectedAddress = objectField({
  raw_form: addressField,
  bounceable: spellings,
  non_bounceable: spellings,
  given_type: enumField('given_type', [
    'raw_form',
    'friendly_bounceable',
    'friendly_non_bounceable',
  ]),
  test_only: boolField,
})

/** `ext.utils.detectedHash` */
export const detectedHash = objectField({ b64: hashField, b64url: textField, hex: textField })

/** One address in a bare text. */
export const oneAddress = addressField
