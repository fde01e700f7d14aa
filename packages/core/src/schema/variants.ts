import * as z from 'zod/mini'
import { objectField, textField } from './fields.js'
import { withParts } from './parts.js'
import { readInner } from './read-inner.js'
import { reportUnknown } from './readers.js'

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
  const tagOf = objectField({ [key]: textField })
  const schema = z.transform((value: unknown, context): unknown => {
    const tagged = readInner(tagOf, value, context)
    if (context.issues.length > 0) return z.NEVER
    // `tagOf` has read it.
    const tag = (tagged as Record<Key, string>)[key]
    const chosen = schemas.get(tag)
    if (chosen === undefined) {
      reportUnknown(`${path}.${key}`, tag)
      return value
    }
    return readInner(chosen, value, context)
  })
  // Objects with an unknown tag are left out of the type on purpose: nothing is known about them.
  const variants = schema as z.ZodMiniTransform<VariantOutput<Key, Options>>
  return withParts(variants, { variants: { path, key, options } })
}
