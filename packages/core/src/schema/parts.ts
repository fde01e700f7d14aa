import type * as z from 'zod/mini'

/** What a schema is made of, where all that zod sees is a function. Whatever is generated from the schemas reads it. */
export interface SchemaParts {
  /** Of a field that may be absent: the field. */
  field?: z.ZodMiniType
  /** Of a text that is one of a few: those that are known. */
  known?: readonly string[]
  /** Of an object with several shapes: the field that tells which one, and the shapes. */
  variants?: { key: string; options: Readonly<Record<string, z.ZodMiniType>> }
  /** Of parameters: what must hold for several of them together, as whole sentences without their end. */
  rules?: readonly string[]
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
