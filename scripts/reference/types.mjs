// Writes the schemas of the endpoints as TypeScript.
import { partsOf } from '../../packages/core/dist/esm/schema/parts.js'
import { parameterWord, resultWord } from './words.mjs'

/**
 * The type of a result as declarations, the result's own last.
 * @param schemaNames names for schemas: those that occur more than once in a result become types of their own
 */
export function resultDeclarations(typeName, schema, schemaNames) {
  const repeated = new Map(
    [...countSchemas(schema)]
      .filter(([one, count]) => count > 1 && schemaNames.has(one))
      .map(([one]) => [one, schemaNames.get(one)]),
  )
  const declarations = [...repeated].map(([one, name]) => {
    const others = new Map([...repeated].filter(([other]) => other !== one))
    return `type ${name} = ${typeText(one, others)}`
  })
  return [...declarations, `type ${typeName} = ${typeText(schema, repeated)}`].join('\n\n')
}

/** The rows of the parameters: `{ name, type, isRequired, expected }`. */
export function parameterRows(schema) {
  return Object.entries(schema.def.shape).map(([name, param]) => {
    const isRequired = param.def.type !== 'optional'
    return { name, isRequired, ...parameterType(isRequired ? param : param.def.innerType) }
  })
}

function parameterType(schema) {
  if (schema.def.type !== 'array') return parameterWord(schema)
  const { type, expected } = parameterWord(schema.def.element)
  return { type: `${type}[]`, expected: `one or more, each ${expected}` }
}

function typeText(schema, names) {
  const name = names.get(schema)
  if (name !== undefined) return name
  const { field, known, variants } = partsOf(schema) ?? {}
  if (field !== undefined) return typeText(field, names)
  if (known !== undefined) return [...known.map(quote), '(string & {})'].join(' | ')
  if (variants !== undefined) return variantsText(variants, names)
  const { type, element, shape } = schema.def
  if (type === 'array') return listText(typeText(element, names))
  if (type === 'object') return objectText(shape, names)
  return type === 'unknown' ? 'unknown' : resultWord(schema).type
}

function variantsText({ key, options }, names) {
  return Object.entries(options)
    .map(([tag, option]) => {
      const own = `${quoteKey(key)}: ${quote(tag)}`
      return objectText(option.def.shape, names, [own])
    })
    .join(' | ')
}

function listText(item) {
  const isUnion = /^[^{]*\|/.test(item) || item.includes('} | {')
  return isUnion ? `(${item})[]` : `${item}[]`
}

function objectText(shape, names, ownLines = []) {
  const lines = Object.entries(shape).map(([key, field]) => {
    const inner = partsOf(field)?.field ?? field
    const isOptional = inner !== field
    const type = typeText(inner, names)
    const note = noteOf(inner)
    return `${quoteKey(key)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}${note}`
  })
  return `{\n${[...ownLines, ...lines].join('\n')}\n}`
}

function noteOf(schema) {
  const isWord = partsOf(schema) === undefined && schema.def.type === 'transform'
  const note = isWord ? resultWord(schema).note : undefined
  return note === undefined ? '' : ` // ${note}`
}

/** How often each object of a result occurs in it, what occurs again being counted once. */
function countSchemas(schema, counts = new Map()) {
  const count = counts.get(schema) ?? 0
  counts.set(schema, count + 1)
  if (count > 0) return counts
  const { field, variants } = partsOf(schema) ?? {}
  const { element, shape = {} } = schema.def
  const inner = [field, element, ...Object.values(variants?.options ?? {}), ...Object.values(shape)]
  for (const one of inner) if (one !== undefined) countSchemas(one, counts)
  return counts
}

function quote(text) {
  return `'${text}'`
}

function quoteKey(key) {
  return /^\w+$/.test(key) ? key : quote(key)
}
