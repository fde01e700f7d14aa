import * as field from '../../schema/fields.js'

/** `configInfo` */
export const configInfo = field.object({ config: field.object({ bytes: field.bytes }) })

/** `smc.libraryResult`. Unknown libraries are missing. */
export const libraries = field.object({
  result: field.withDefault(field.list(field.object({ hash: field.hash, data: field.bytes })), []),
})
