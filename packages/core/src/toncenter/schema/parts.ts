import type * as z from 'zod/mini'

/** Structure of a schema that zod knows only as a function. The decoder generator reads it. */
export interface SchemaParts {
  /** The function that reads the value. */
  read?: (value: unknown) => unknown
  /** `true` if `read` returns the received value, so that nothing is written back. */
  isUnchanged?: true
  /** The inner field of an optional field or of one with a default. */
  field?: z.ZodMiniType
  /** Values of an optional field that also read as absent: an object without fields, or any unreadable value. */
  absent?: 'empty' | 'unreadable'
  /** The path for drift of a field whose unreadable values read as absent. */
  path?: string
  /** The default of a field, in the format of the response. */
  instead?: unknown
  /** A list or map that reads as empty where it is null or absent. */
  collection?: z.ZodMiniType
  /** `true` if that list may be null, but not absent. */
  isPresent?: true
  /** A tree: the key of the children, and a node without them. */
  tree?: { key: string; node: z.ZodMiniType }
  /** An object whose field `tag` selects the schema of its field `content`. `path` is for drift. */
  tagged?: {
    path: string
    fields: z.ZodMiniType
    tag: string
    content: string
    options: Readonly<Record<string, z.ZodMiniType>>
  }
  /** The known strings, and the field's path for drift. */
  known?: { path: string; values: readonly string[] }
  /** An object whose field `key` selects its schema. `path` is for drift. */
  variants?: { path: string; key: string; options: Readonly<Record<string, z.ZodMiniType>> }
}

const parts = new WeakMap<z.ZodMiniType, SchemaParts>()

/** Records the structure of a schema. */
export function withParts<Schema extends z.ZodMiniType>(schema: Schema, made: SchemaParts): Schema {
  parts.set(schema, made)
  return schema
}

/** Returns the structure of a schema; `undefined` where zod knows it. */
export function partsOf(schema: z.ZodMiniType): SchemaParts | undefined {
  return parts.get(schema)
}
