import type * as z from 'zod/mini'
import { partsOf } from '../../src/toncenter/schema/parts.js'

/** Internals of the zod schemas that the vocabulary consists of. */
interface Def {
  innerType?: z.ZodMiniType
  element?: z.ZodMiniType
  valueType?: z.ZodMiniType
  shape?: Readonly<Record<string, z.ZodMiniType>>
}

type Fields = Readonly<Record<string, unknown>>

/** The places of a body that its schema says nothing about, as `/actions/0/details/amount`. */
export function undescribedIn(schema: z.ZodMiniType, body: unknown, path = ''): string[] {
  if (typeof body !== 'object' || body === null) return []
  const { field, collection, tree, tagged, variants } = partsOf(schema) ?? {}
  const only = field ?? collection
  if (only !== undefined) return undescribedIn(only, body, path)
  if (tree !== undefined) {
    const children: unknown = Reflect.get(body, tree.key)
    const inner = Array.isArray(children)
      ? children.flatMap((one, index) => undescribedIn(schema, one, `${path}/${tree.key}/${index}`))
      : []
    return [...undescribedIn(tree.node, without(body, tree.key), path), ...inner]
  }
  if (tagged !== undefined) {
    const { fields, tag, content, options } = tagged
    const option = options[String(Reflect.get(body, tag))]
    const inner: unknown = Reflect.get(body, content)
    return [
      ...undescribedIn(fields, without(body, tag, content), path),
      ...(option === undefined ? [] : undescribedIn(option, inner, `${path}/${content}`)),
    ]
  }
  if (variants !== undefined) {
    const option = variants.options[String(Reflect.get(body, variants.key))]
    return option === undefined ? [path] : undescribedIn(option, without(body, variants.key), path)
  }
  return undescribedInDef(schema, body, path)
}

function undescribedInDef(schema: z.ZodMiniType, body: object, path: string): string[] {
  // Each kind of schema has its own, of which only these are of use here.
  const { innerType, element, valueType, shape } = schema.def as Def
  if (innerType !== undefined) return undescribedIn(innerType, body, path)
  const every = element ?? valueType
  return Object.entries(body).flatMap(([key, inner]) => {
    const place = `${path}/${key}`
    if (every !== undefined) return undescribedIn(every, inner, place)
    if (shape === undefined) return []
    const known = shape[key]
    return known === undefined ? [place] : undescribedIn(known, inner, place)
  })
}

function without(body: object, ...keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))
}
