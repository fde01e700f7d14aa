import * as z from 'zod/mini'
import { anyField, lenientField, objectField, textField } from './fields.js'
import { withParts } from './parts.js'
import { readInner } from './read-inner.js'
import { reportUnknown } from './readers.js'

type Schemas = Readonly<Record<string, z.ZodMiniType>>

/** An object whose field `Tag` tells the shape of its field `Content`, as a schema of `Options` has it. */
export type TaggedOutput<Fields, Tag extends string, Content extends string, Options> = {
  [Known in keyof Options]: Flat<
    Fields & Record<Tag, Known> & { [Key in Content]?: z.output<Options[Known]> | undefined }
  >
}[keyof Options]

type Flat<Type> = { [Field in keyof Type]: Type[Field] }

/**
 * An object of which one field, the tag, tells the shape of another, the content, which may be absent, and counts as
 * absent where it does not have that shape, which is told as drift: one odd object must not lose a list. With a tag that
 * is not among the options the content is kept as it came, since servers learn new ones, and is told as drift; the
 * other fields are read as always. Such an object is not part of the type, so that the tag can tell the others apart.
 * @param path the field that holds the object, for drift
 * @param fields the object without those two
 */
export function taggedField<
  Fields extends object,
  const Tag extends string,
  const Content extends string,
  const Options extends Schemas,
>(
  path: string,
  fields: z.ZodMiniType<Fields>,
  { tag, content, options }: { tag: Tag; content: Content; options: Options },
): z.ZodMiniTransform<TaggedOutput<Fields, Tag, Content, Options>> {
  const tagOf = objectField({ [tag]: textField })
  const withContent = (option: z.ZodMiniType) =>
    objectField({ [content]: lenientField(`${path}.${content}`, option) })
  const unknown = withContent(anyField)
  const contents = new Map(
    Object.entries(options).map(([known, option]) => [known, withContent(option)]),
  )
  const schema = z.transform((value: unknown, context): unknown => {
    const read = readInner(fields, value, context)
    const tagged = context.issues.length > 0 ? z.NEVER : readInner(tagOf, read, context)
    if (context.issues.length > 0) return z.NEVER
    // `tagOf` has read it.
    const known = (tagged as Record<Tag, string>)[tag]
    const option = contents.get(known)
    if (option === undefined) reportUnknown(`${path}.${tag}`, known)
    return readInner(option ?? unknown, tagged, context)
  })
  // The tag chose the content's shape, which is what the type says of the tags that are described.
  const typed = schema as unknown as z.ZodMiniTransform<TaggedOutput<Fields, Tag, Content, Options>>
  return withParts(typed, { tagged: { path, fields, tag, content, options } })
}
