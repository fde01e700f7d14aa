import { enumField, optionalField } from '../../schema/fields.js'

/** How settled something is: only `finalized` stays. Servers before the middle of 2026 do not tell. */
export const finality = optionalField(enumField('finality', ['pending', 'confirmed', 'finalized']))
