// Names for schemas and for the functions that read words.

/** @returns a map from the schemas that modules export to their names there. */
export function nameSchemas(modules) {
  const exported = modules.flatMap((module) => Object.entries(module))
  return new Map(exported.map(([name, schema]) => [schema, name]))
}

/** @returns a map from the functions that modules export to `{ name, from }`. @param modules pairs of a specifier and it */
export function nameReaders(modules) {
  const exported = modules.flatMap(([from, module]) =>
    Object.entries(module).map(([name, value]) => [value, { name, from }]),
  )
  return new Map(exported)
}

/** Joins the words of names to an identifier in camel case: `accountStateRawAccountState`. */
export function camelCase(...parts) {
  const [first = '', ...rest] = parts.flatMap((part) => part.split(/[^A-Za-z0-9]+/)).filter(Boolean)
  return first + rest.map((part) => part[0].toUpperCase() + part.slice(1)).join('')
}
