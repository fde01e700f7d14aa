import * as z from 'zod/mini'
import * as field from './fields.js'
import { withParts } from './parts.js'
import { reportUnknown } from './readers.js'

type Schemas = Readonly<Record<string, z.ZodMiniType>>
type Flat<Type> = { [Field in keyof Type]: Type[Field] }

/** The output of each schema, with the tag that selects it. */
type VariantOutput<Key extends string, Options extends Schemas> = {
  [Tag in keyof Options]: Flat<z.output<Options[Tag]> & Record<Key, Tag>>
}[keyof Options]

/**
 * An object whose field `key` selects its schema. Servers add new tags, so an object with an unknown tag is kept unchecked
 * and reported as drift. It is not part of the type.
 * @param path the field that holds the object, for drift
 */
export function variants<const Key extends string, const Options extends Schemas>(
  path: string,
  key: Key,
  options: Options,
): z.ZodMiniTransform<VariantOutput<Key, Options>> {
  const schemas = new Map(Object.entries(options))
  const tagOf = field.object({ [key]: field.string })
  const schema = z.transform((value: unknown, context): unknown => {
    const tagged = field.readInner(tagOf, value, context)
    if (context.issues.length > 0) return z.NEVER
    // `tagOf` has read it.
    const tag = (tagged as Record<Key, string>)[key]
    const chosen = schemas.get(tag)
    if (chosen === undefined) {
      reportUnknown(`${path}.${key}`, tag)
      return value
    }
    return field.readInner(chosen, value, context)
  })
  // The type leaves out objects with an unknown tag on purpose: nothing is known about them.
  const typed = schema as z.ZodMiniTransform<VariantOutput<Key, Options>>
  return withParts(typed, { variants: { path, key, options } })
}

/** An object whose field `Tag` selects the type of its field `Content`, one of the schemas in `Options`. */
export type TaggedOutput<Fields, Tag extends string, Content extends string, Options> = {
  [Known in keyof Options]: Flat<
    Fields & Record<Tag, Known> & { [Key in Content]?: z.output<Options[Known]> | undefined }
  >
}[keyof Options]

/**
 * An object whose field `tag` selects the schema of its field `content`, which may be absent. Content that does not match
 * its schema reads as absent and is reported as drift: one malformed object must not lose a list. Servers add new tags, so
 * the content of an unknown tag is kept as received and reported as drift; such an object is not part of the type.
 * @param path the field that holds the object, for drift
 * @param fields the object without those two fields
 */
export function tagged<
  Fields extends object,
  const Tag extends string,
  const Content extends string,
  const Options extends Schemas,
>(
  path: string,
  fields: z.ZodMiniType<Fields>,
  { tag, content, options }: { tag: Tag; content: Content; options: Options },
): z.ZodMiniTransform<TaggedOutput<Fields, Tag, Content, Options>> {
  const tagOf = field.object({ [tag]: field.string })
  const withContent = (option: z.ZodMiniType) =>
    field.object({ [content]: field.lenient(`${path}.${content}`, option) })
  const unknown = withContent(field.any)
  const contents = new Map(
    Object.entries(options).map(([known, option]) => [known, withContent(option)]),
  )
  const schema = z.transform((value: unknown, context): unknown => {
    const read = field.readInner(fields, value, context)
    const withTag = context.issues.length > 0 ? z.NEVER : field.readInner(tagOf, read, context)
    if (context.issues.length > 0) return z.NEVER
    // `tagOf` has read it.
    const known = (withTag as Record<Tag, string>)[tag]
    const option = contents.get(known)
    if (option === undefined) reportUnknown(`${path}.${tag}`, known)
    return field.readInner(option ?? unknown, withTag, context)
  })
  // The tag selected the schema of the content, so the type of a documented tag is correct.
  const typed = schema as unknown as z.ZodMiniTransform<TaggedOutput<Fields, Tag, Content, Options>>
  return withParts(typed, { tagged: { path, fields, tag, content, options } })
}
