import * as z from 'zod/mini'
import { reportDrift } from './drift.js'
import { withParts } from './parts.js'
import { readInner } from './read-inner.js'
import { word, type Word } from './word.js'

// This file is the whole vocabulary for answers: a schema is made of these words and of nothing else, so that a build
// step can compile it.

const INTEGER = /^-?\d+$/
const SMALL_INTEGER = /^-?\d{1,15}$/
const HASH = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/** An unbounded integer: an amount, a fee, lt. On the wire digits in a string, or a number that lost none of its digits. */
export const bigintField = word('an integer in decimal digits', (value): bigint | undefined => {
  if (typeof value === 'string') return INTEGER.test(value) ? BigInt(value) : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
})

/** A small integer: a time, a seqno, a workchain, gas, an exit code. On the wire a number, or its digits in a string. */
export const intField = word('an integer', (value): number | undefined => {
  if (typeof value === 'string') return SMALL_INTEGER.test(value) ? Number(value) : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
})

/** A number that may have a fraction. */
export const numberField = word('a number', (value): number | undefined =>
  typeof value === 'number' ? value : undefined,
)

/** A text of any kind. */
export const textField = word('a text', readText)

/** An account in the spelling that the server chose; the empty text where there is none. */
export const addressField = word('an address as a text', readText)

/** `true` or `false`. */
export const boolField = word('true or false', (value): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined,
)

/** A 256-bit hash in base64. */
export const hashField = word('a 256-bit hash in base64', (value): string | undefined =>
  typeof value === 'string' && HASH.test(value) ? value : undefined,
)

/** A 256-bit hash in base64, or the empty text where there is none. */
export const emptyableHashField = word('a 256-bit hash in base64, or empty', (value) =>
  value === '' || (typeof value === 'string' && HASH.test(value)) ? value : undefined,
)

/** Bytes in base64, most often a bag of cells; the empty text where there are none. Not checked: it may be long. */
export const bytesField = word('base64', readText)

/** A text, or an object with whatever it holds. */
export const textOrObjectField = word(
  'a text or an object',
  (value): string | Readonly<Record<string, unknown>> | undefined => {
    if (typeof value === 'string') return value
    // Whatever an object of JSON holds is unknown.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  },
)

/** Anything at all, kept as it came. */
export const anyField = z.unknown()

/** A text that is one of a few; another one passes, since servers learn new ones, and is told as drift. */
export function enumField<const Known extends string>(
  path: string,
  known: readonly Known[],
): Word<Known | (string & {})> {
  const set: ReadonlySet<string> = new Set(known)
  const schema = word('a text', (value): string | undefined => {
    if (typeof value !== 'string') return undefined
    if (!set.has(value)) reportDrift(path, `unknown value ${JSON.stringify(value.slice(0, 80))}`)
    return value
  })
  return withParts(schema, { known })
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

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
