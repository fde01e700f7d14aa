import type { Schema } from '../../../src/toncenter/schema/fields.js'

/** The places of a body that its schema says nothing about, as `/actions/0/details/amount`. */
export function undescribedIn(schema: Schema, body: unknown, path = ''): string[] {
  if (typeof body !== 'object' || body === null) return []
  switch (schema.kind) {
    case 'optional':
    case 'default':
      return undescribedIn(schema.inner, body, path)
    case 'list':
    case 'map':
      return Object.entries(body).flatMap(([key, one]) =>
        undescribedIn(schema.inner, one, `${path}/${key}`),
      )
    case 'object':
      return undescribedInObject(schema.shape, body, path)
    case 'tree': {
      const { key, node } = schema
      const children: unknown = Reflect.get(body, key)
      const inner = Array.isArray(children)
        ? children.flatMap((one, index) => undescribedIn(schema, one, `${path}/${key}/${index}`))
        : []
      return [...undescribedIn(node, without(body, key), path), ...inner]
    }
    case 'tagged': {
      const { fields, details } = schema
      const option = details[String(Reflect.get(body, 'type'))]
      const inner: unknown = Reflect.get(body, 'details')
      return [
        ...undescribedIn(fields, without(body, 'type', 'details'), path),
        ...(option === undefined ? [] : undescribedIn(option, inner, `${path}/details`)),
      ]
    }
    case 'variants': {
      const option = schema.options[String(Reflect.get(body, schema.key))]
      return option === undefined ? [path] : undescribedIn(option, without(body, schema.key), path)
    }
    default:
      return []
  }
}

function undescribedInObject(
  shape: Readonly<Record<string, Schema>>,
  body: object,
  path: string,
): string[] {
  return Object.entries(body).flatMap(([key, inner]) => {
    const known = shape[key]
    return known === undefined ? [`${path}/${key}`] : undescribedIn(known, inner, `${path}/${key}`)
  })
}

function without(body: object, ...keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))
}
