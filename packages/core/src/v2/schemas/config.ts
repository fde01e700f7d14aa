import { bytesField, defaultField, hashField, listField, objectField } from '../../schema/fields.js'

/** `configInfo` */
export const configInfo = objectField({ config: objectField({ bytes: bytesField }) })

/** `smc.libraryResult`. Libraries that are not known are missing. */
export const libraries = objectField({
  result: defaultField(listField(objectField({ hash: hashField, data: bytesField })), []),
})
