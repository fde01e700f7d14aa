import * as z from 'zod/mini'
import { countDrift, discardDrift } from './drift.js'
import { firstIssue } from './issue.js'
import { Mismatch } from './mismatch.js'
import { withParts } from './parts.js'
import {
  isEmptyObject,
  readAddress,
  readBigint,
  readBool,
  readBytes,
  readEmptyableHash,
  readEmptyableInt,
  readEnum,
  readFlag,
  readHash,
  readInt,
  readNumber,
  readShard,
  readString,
  readStringOrObject,
  reportUnreadable,
} from './readers.js'

// The vocabulary for responses, with that of trees and tagged objects beside it. Schemas consist of these fields only, so
// that the build can compile them. Import this module as a namespace: `field.object({ lt: field.bigint })`.

/** A field that one function reads. */
export type Field<Output> = z.ZodMiniTransform<Output, unknown>

type Optional<Inner extends z.ZodMiniType> = z.ZodMiniOptional<z.ZodMiniType<z.output<Inner>>>

/**
 * Creates a field.
 * @param read throws a {@link Mismatch} for an invalid value; an exported function, since generated decoders call it too
 */
export function custom<Output>(read: (value: unknown) => Output): Field<Output> {
  const schema = z.transform((value: unknown, context): Output => {
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      const { expected, path } = error
      context.issues.push({ code: 'custom', message: expected, path: [...path], input: value })
      return z.NEVER
    }
  })
  // `z.transform` types its output as awaited. No field reads a promise.
  return withParts(schema as Field<Output>, { read })
}

/** Creates a field of a value that is kept unchanged. @param read as in {@link custom}; returns the received value */
function unchangedFieldOf<Output>(read: (value: unknown) => Output): Field<Output> {
  return withParts(custom(read), { read, isUnchanged: true })
}

/** Reads `value` with a schema inside the transform of another one. The issue is the first one found. */
export function readInner(
  schema: z.ZodMiniType,
  value: unknown,
  context: z.core.ParsePayload,
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { path, expected } = firstIssue(result.error)
  context.issues.push({ code: 'custom', path: [...path], message: expected, input: value })
  return z.NEVER
}

/** An unbounded integer: an amount, a fee or an lt. Received as digits in a string, or as a number that lost no digit. */
export const bigint = custom(readBigint)

/** A small integer: a time, a seqno, a workchain, gas or an exit code. Received as a number or as digits in a string. */
export const int = custom(readInt)

/** A small integer; an empty string reads as 0. */
export const emptyableInt = custom(readEmptyableInt)

/** A number that may have a fraction. Received as a number or as digits in a string. */
export const number = custom(readNumber)

/** A string. */
export const string = unchangedFieldOf(readString)

/** An account in the format that the server chose; empty for no account. */
export const address = unchangedFieldOf(readAddress)

/** A shard as a string of digits. A short one, such as 0, may be received as a number. */
export const shard = custom(readShard)

/** `true` or `false`. */
export const bool = unchangedFieldOf(readBool)

/** `true` or `false`. Also received as a string, or as 1, -1 or 0. */
export const flag = custom(readFlag)

/** A 256-bit hash in base64. */
export const hash = unchangedFieldOf(readHash)

/** A 256-bit hash in base64, or an empty string. */
export const emptyableHash = unchangedFieldOf(readEmptyableHash)

/** Bytes in base64, usually a bag of cells; may be empty. Not validated, since it may be long. */
export const bytes = unchangedFieldOf(readBytes)

/** A string, or an object with any fields. */
export const stringOrObject = unchangedFieldOf(readStringOrObject)

/** Any value, kept as received. */
export const any = z.unknown()

/** One of a few strings. Servers add new ones, so an unknown string is accepted and reported as drift. */
export function oneOf<const Known extends string>(
  path: string,
  known: readonly Known[],
): Field<Known | (string & {})> {
  const set: ReadonlySet<string> = new Set(known)
  const schema = custom((value) => readEnum(value, path, set))
  return withParts(schema, { known: { path, values: known } })
}

/** A field that may be absent or null. Both read as absent. */
export function optional<Inner extends z.ZodMiniType>(inner: Inner): Optional<Inner> {
  const orAbsent = z.transform((value: unknown, context): unknown =>
    value === null ? undefined : readInner(inner, value, context),
  )
  // `readInner` returns the inner field's type; the outer optional adds `undefined`.
  return withParts(z.optional(orAbsent) as Optional<Inner>, { field: inner })
}

/** An {@link optional} field for which an object without fields also reads as absent. */
export function emptyable<Inner extends z.ZodMiniType>(inner: Inner): Optional<Inner> {
  const orAbsent = z.transform((value: unknown, context): unknown =>
    value === null || isEmptyObject(value) ? undefined : readInner(inner, value, context),
  )
  // As in `optional`.
  return withParts(z.optional(orAbsent) as Optional<Inner>, { field: inner, absent: 'empty' })
}

/** An optional field that no decision depends on: an unreadable value reads as absent and is reported as drift. */
export function lenient<Inner extends z.ZodMiniType>(path: string, inner: Inner): Optional<Inner> {
  const orAbsent = z.transform((value: unknown): unknown => {
    if (value === null) return undefined
    const drift = countDrift()
    const result = inner.safeParse(value)
    if (result.success) return result.data
    discardDrift(drift)
    reportUnreadable(path)
    return undefined
  })
  // As in `optional`.
  const schema = z.optional(orAbsent) as Optional<Inner>
  return withParts(schema, { field: inner, absent: 'unreadable', path })
}

/** A field that reads as `instead`, a value in the format of the response, where it is null or absent. */
export function withDefault<Inner extends z.ZodMiniType>(
  inner: Inner,
  instead: unknown,
): Field<NonNullable<z.output<Inner>>> {
  const schema = z.transform(
    (value: unknown, context): unknown =>
      // A lenient field may read a value as absent.
      readInner(inner, value ?? instead, context) ?? readInner(inner, instead, context),
  )
  // `readInner` returns the inner field's type.
  return withParts(schema as Field<NonNullable<z.output<Inner>>>, { field: inner, instead })
}

/** An object. Undescribed fields are kept, but are not part of the type. */
export function object<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  // The type of a loose object has an index signature, which would let a misspelled field compile.
  return z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>
}

/** A list. */
export function list<Item extends z.ZodMiniType>(item: Item): z.ZodMiniArray<Item> {
  return z.array(item)
}

/** A list that may be null or absent. Both read as an empty list. */
export function nullableList<Item extends z.ZodMiniType>(
  item: Item,
): z.ZodMiniTransform<z.output<Item>[]> {
  // An array of the items returns a list of what the item returns.
  return orEmpty(z.array(item), () => []) as z.ZodMiniTransform<z.output<Item>[]>
}

/** A required list. Null reads as an empty list. */
export function presentList<Item extends z.ZodMiniType>(
  item: Item,
): z.ZodMiniTransform<z.output<Item>[]> {
  const items = z.array(item)
  const schema = z.transform((value: unknown, context): unknown =>
    value === null ? [] : readInner(items, value, context),
  )
  // An array of the items returns a list of what the item returns.
  const present = schema as unknown as z.ZodMiniTransform<z.output<Item>[]>
  return withParts(present, { collection: items, isPresent: true })
}

/** A map: an object whose keys are data, for example addresses, and whose values have one type. */
export function map<Value extends z.ZodMiniType>(
  value: Value,
): z.ZodMiniRecord<z.ZodMiniString, Value> {
  return z.record(z.string(), value)
}

/** A map that may be null or absent. Both read as an empty map. */
export function nullableMap<Value extends z.ZodMiniType>(
  value: Value,
): z.ZodMiniTransform<Record<string, z.output<Value>>> {
  // A record of the values returns a record of what the value returns.
  return orEmpty(map(value), () => ({})) as z.ZodMiniTransform<Record<string, z.output<Value>>>
}

function orEmpty(collection: z.ZodMiniType, empty: () => unknown): z.ZodMiniType {
  const schema = z.transform((value: unknown, context): unknown =>
    value === null || value === undefined ? empty() : readInner(collection, value, context),
  )
  return withParts(schema, { collection })
}
