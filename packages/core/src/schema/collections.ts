import * as z from 'zod/mini'
import { withParts } from './parts.js'
import { readInner } from './read-inner.js'

/** A map: an object whose keys are data, such as addresses, and whose values are all alike. */
export function mapField<Value extends z.ZodMiniType>(
  value: Value,
): z.ZodMiniRecord<z.ZodMiniString, Value> {
  return z.record(z.string(), value)
}

/** A list that is null on the wire, or absent, where it is empty. Reads as a list either way. */
export function nullableListField<Item extends z.ZodMiniType>(
  item: Item,
): z.ZodMiniTransform<z.output<Item>[]> {
  // What an array of the items answers is a list of what the item answers.
  return orEmpty(z.array(item), () => []) as z.ZodMiniTransform<z.output<Item>[]>
}

/** A list that must be there, and is null on the wire where it is empty. */
export function presentListField<Item extends z.ZodMiniType>(
  item: Item,
): z.ZodMiniTransform<z.output<Item>[]> {
  const list = z.array(item)
  const schema = z.transform((value: unknown, context): unknown =>
    value === null ? [] : readInner(list, value, context),
  )
  // What an array of the items answers is a list of what the item answers.
  const present = schema as unknown as z.ZodMiniTransform<z.output<Item>[]>
  return withParts(present, { collection: list, isPresent: true })
}

/** A map that is null on the wire, or absent, where it is empty. Reads as a map either way. */
export function nullableMapField<Value extends z.ZodMiniType>(
  value: Value,
): z.ZodMiniTransform<Record<string, z.output<Value>>> {
  // What a record of the values answers is a record of what the value answers.
  return orEmpty(mapField(value), () => ({})) as z.ZodMiniTransform<Record<string, z.output<Value>>>
}

function orEmpty(collection: z.ZodMiniType, empty: () => unknown): z.ZodMiniType {
  const schema = z.transform((value: unknown, context): unknown =>
    value === null || value === undefined ? empty() : readInner(collection, value, context),
  )
  return withParts(schema, { collection })
}
