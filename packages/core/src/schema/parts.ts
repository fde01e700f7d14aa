import type * as z from 'zod/mini'

/** What a schema is made of, where all that zod sees is a function. Whatever is generated from the schemas reads it. */
export interface SchemaParts {
  /** Of a word: the function that reads it. */
  read?: (value: unknown) => unknown
  /** Of a word: whether it reads a value as it is, so that there is nothing to write back. */
  isUnchanged?: true
  /** Of a field that may be absent: the field. */
  field?: z.ZodMiniType
  /** Of such a field: what counts as absent too: an object without fields, or whatever cannot be read. */
  absent?: 'empty' | 'unreadable'
  /** Of one that counts as absent where it cannot be read: its path for drift. */
  path?: string
  /** Of a field that has a value where the wire has none: that value, as on the wire. */
  instead?: unknown
  /** Of a list or map that is empty where it is null or absent: the list or map. */
  collection?: z.ZodMiniType
  /** Of such a list: whether it may be null, but not absent. */
  isPresent?: true
  /** Of a tree: the field with the children, and a node without that field. */
  tree?: { key: string; node: z.ZodMiniType }
  /** Of an object of which one field tells the shape of another: its fields, the two names, the shapes, the path for drift. */
  tagged?: {
    path: string
    fields: z.ZodMiniType
    tag: string
    content: string
    options: Readonly<Record<string, z.ZodMiniType>>
  }
  /** Of a text that is one of a few: those that are known, and the field's path for drift. */
  known?: { path: string; values: readonly string[] }
  /** Of an object with several shapes: the field that tells which one, the shapes, and the object's path for drift. */
  variants?: { path: string; key: string; options: Readonly<Record<string, z.ZodMiniType>> }
}

const parts = new WeakMap<z.ZodMiniType, SchemaParts>()

/** Keeps what a schema is made of. */
export function withParts<Schema extends z.ZodMiniType>(schema: Schema, made: SchemaParts): Schema {
  parts.set(schema, made)
  return schema
}

/** What a schema is made of; `undefined` where zod knows it. */
export function partsOf(schema: z.ZodMiniType): SchemaParts | undefined {
  return parts.get(schema)
}
