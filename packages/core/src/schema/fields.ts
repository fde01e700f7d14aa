import * as z from 'zod/mini'
import { countDrift, takeBackDrift } from './drift.js'
import { withParts } from './parts.js'
import { readInner } from './read-inner.js'
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
  readText,
  readTextOrObject,
  reportUnread,
} from './readers.js'
import { plainWord, word, type Word } from './word.js'

// This file is the vocabulary for answers, with those of collections, trees, variants and tagged objects beside it: a
// schema is made of these words and of nothing else, so that a build step can compile it.

/** An unbounded integer: an amount, a fee, lt. On the wire digits in a string, or a number that lost none of its digits. */
export const bigintField = word(readBigint)

/** A small integer: a time, a seqno, a workchain, gas, an exit code. On the wire a number, or its digits in a string. */
export const intField = word(readInt)

/** A small integer, 0 where the wire has the empty text in its place. */
export const emptyableIntField = word(readEmptyableInt)

/** A number that may have a fraction. On the wire a number, or its digits in a string. */
export const numberField = word(readNumber)

/** A text of any kind. */
export const textField = plainWord(readText)

/** An account in the spelling that the server chose; the empty text where there is none. */
export const addressField = plainWord(readAddress)

/** A shard as a text of its digits; a number where it is short, as 0 is. */
export const shardField = word(readShard)

/** `true` or `false`. */
export const boolField = plainWord(readBool)

/** `true` or `false`, also as a text, or as 1, -1 or 0. */
export const flagField = word(readFlag)

/** A 256-bit hash in base64. */
export const hashField = plainWord(readHash)

/** A 256-bit hash in base64, or the empty text where there is none. */
export const emptyableHashField = plainWord(readEmptyableHash)

/** Bytes in base64, most often a bag of cells; the empty text where there are none. Not checked: it may be long. */
export const bytesField = plainWord(readBytes)

/** A text, or an object with whatever it holds. */
export const textOrObjectField = plainWord(readTextOrObject)

/** Anything at all, kept as it came. */
export const anyField = z.unknown()

/** A text that is one of a few; another one passes, since servers learn new ones, and is told as drift. */
export function enumField<const Known extends string>(
  path: string,
  known: readonly Known[],
): Word<Known | (string & {})> {
  const set: ReadonlySet<string> = new Set(known)
  const schema = word((value) => readEnum(value, path, set))
  return withParts(schema, { known: { path, values: known } })
}

/** A field that may be absent or null, which is the same. */
export function optionalField<Field extends z.ZodMiniType>(
  field: Field,
): z.ZodMiniOptional<z.ZodMiniType<z.output<Field>>> {
  const orAbsent = z.transform((value: unknown, context): unknown =>
    value === null ? undefined : readInner(field, value, context),
  )
  // What `readInner` answers is of the inner field's type; the outer optional adds the `undefined`.
  const schema = z.optional(orAbsent) as z.ZodMiniOptional<z.ZodMiniType<z.output<Field>>>
  return withParts(schema, { field })
}

/** As {@link optionalField}; an object without fields counts as absent too. */
export function emptyableField<Field extends z.ZodMiniType>(
  field: Field,
): z.ZodMiniOptional<z.ZodMiniType<z.output<Field>>> {
  const orAbsent = z.transform((value: unknown, context): unknown =>
    value === null || isEmptyObject(value) ? undefined : readInner(field, value, context),
  )
  // As in `optionalField`.
  const schema = z.optional(orAbsent) as z.ZodMiniOptional<z.ZodMiniType<z.output<Field>>>
  return withParts(schema, { field, absent: 'empty' })
}

/** A field that decides nothing: one that cannot be read counts as absent, and is told as drift. @param path for drift */
export function lenientField<Field extends z.ZodMiniType>(
  path: string,
  field: Field,
): z.ZodMiniOptional<z.ZodMiniType<z.output<Field>>> {
  const orAbsent = z.transform((value: unknown): unknown => {
    if (value === null) return undefined
    const drift = countDrift()
    const result = field.safeParse(value)
    if (result.success) return result.data
    takeBackDrift(drift)
    reportUnread(path)
    return undefined
  })
  // As in `optionalField`.
  const schema = z.optional(orAbsent) as z.ZodMiniOptional<z.ZodMiniType<z.output<Field>>>
  return withParts(schema, { field, absent: 'unreadable', path })
}

/** A field that is read as `instead`, a value of the wire, where it is null or absent. */
export function defaultField<Field extends z.ZodMiniType>(
  field: Field,
  instead: unknown,
): Word<NonNullable<z.output<Field>>> {
  const schema = z.transform(
    (value: unknown, context): unknown =>
      // A lenient field may read nothing out of a value.
      readInner(field, value ?? instead, context) ?? readInner(field, instead, context),
  )
  // What `readInner` answers is of the inner field's type.
  return withParts(schema as Word<NonNullable<z.output<Field>>>, { field, instead })
}

/** A list. */
export function listField<Item extends z.ZodMiniType>(item: Item): z.ZodMiniArray<Item> {
  return z.array(item)
}

/** An object. Fields that are not described are kept, but are not part of the type. */
export function objectField<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  // The type of a loose object has an index signature, which would let a misspelt field compile.
  return z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>
}
