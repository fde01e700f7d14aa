import * as z from 'zod/mini'
import { reportDrift } from './drift.js'
import { withParts } from './parts.js'
import { readInner } from './read-inner.js'

type Schemas = Readonly<Record<string, z.ZodMiniType>>

/** Every schema's output, with the tag that chose it. */
export type VariantOutput<Key extends string, Options extends Schemas> = {
  [Tag in keyof Options]: Flat<z.output<Options[Tag]> & Record<Key, Tag>>
}[keyof Options]

type Flat<Type> = { [Field in keyof Type]: Type[Field] }

/**
 * An object whose field `key` tells which of several shapes it has. An object with another tag passes unchecked,
 * since servers learn new ones, and is told as drift; it is not part of the type.
 * @param path the field that holds the object, for drift
 */
export function variantField<const Key extends string, const Options extends Schemas>(
  path: string,
  key: Key,
  options: Options,
): z.ZodMiniTransform<VariantOutput<Key, Options>> {
  const schemas = new Map(Object.entries(options))
  const schema = z.transform((value: unknown, context): unknown => {
    const tag = readTag(value, key)
    if (tag === undefined) {
      context.issues.push({ code: 'custom', message: `an object with ${key}`, input: value })
      return z.NEVER
    }
    const chosen = schemas.get(tag)
    if (chosen === undefined) {
      reportDrift(`${path}.${key}`, `unknown value ${JSON.stringify(tag.slice(0, 80))}`)
      return value
    }
    return readInner(chosen, value, context)
  })
  // Objects with an unknown tag are left out of the type on purpose: nothing is known about them.
  const variants = schema as z.ZodMiniTransform<VariantOutput<Key, Options>>
  return withParts(variants, { variants: { key, options } })
}

function readTag(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const tag: unknown = (value as Readonly<Record<string, unknown>>)[key]
  return typeof tag === 'string' ? tag : undefined
}
