import * as field from '../../schema/fields.js'

const formats = field.object({ b64: field.address, b64url: field.address })

/** `ext.utils.detectedAddress` */
export const detectedAddress = field.object({
  raw_form: field.address,
  bounceable: formats,
  non_bounceable: formats,
  given_type: field.oneOf('given_type', [
    'raw_form',
    'friendly_bounceable',
    'friendly_non_bounceable',
  ]),
  test_only: field.bool,
})

/** `ext.utils.detectedHash` */
export const detectedHash = field.object({
  b64: field.hash,
  b64url: field.string,
  hex: field.string,
})

/** One address as a bare string. */
export const oneAddress = field.address
