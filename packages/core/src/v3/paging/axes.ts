import type { Axis } from './key-leg.js'

/** An order by lt. @param field the field that holds it */
export function byLt<Field extends string>(
  field: Field,
): Axis<{ readonly [Name in Field]?: bigint | undefined }> {
  return { start: 'start_lt', end: 'end_lt', field, keyOf: (row) => row[field] }
}

/** An order by time, whole seconds. @param field the field that holds it */
export function byUtime<Field extends string>(
  field: Field,
): Axis<{ readonly [Name in Field]?: number | undefined }> {
  return { start: 'start_utime', end: 'end_utime', field, keyOf: (row) => row[field] }
}
