// Writes the schemas of the endpoints as TypeScript.
import { partsOf } from '../../packages/core/dist/esm/schema/parts.js'
import { parameterWord, resultWord } from './words.mjs'

/** The one schema that contains itself. */
const TREE_NAME = 'TraceNode'

/**
 * The type of a result as declarations, the result's own last, after an import of the types that have own pages.
 * @param schemaNames names for schemas: those that occur more than once in a result become types of their own
 * @param others the types that have pages of their own, `[{ name, schema }]`
 */
export function resultDeclarations(typeName, schema, { schemaNames, others }) {
  const imported = new Map(others.map((other) => [other.schema, other.name]))
  const counts = countSchemas(schema, imported)
  const repeated = new Map(
    [...counts]
      .filter(([one, count]) => count > 1 && one !== schema && !imported.has(one))
      .filter(([one]) => schemaNames.has(one))
      .map(([one]) => [one, schemaNames.get(one)]),
  )
  for (const [one] of counts) if (partsOf(one)?.tree !== undefined) repeated.set(one, TREE_NAME)
  const declarations = [...repeated].map(([one, name]) => {
    const names = new Map([...imported, ...repeated].filter(([other]) => other !== one))
    return `type ${name} = ${typeText(one, names)}`
  })
  const names = new Map([...imported, ...repeated])
  const used = [...imported].filter(([one]) => counts.has(one)).map(([, name]) => name)
  if (usesStack(counts)) used.push('StackItem')
  const imports =
    used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '@tonplug/core'`]
  return [...imports, ...declarations, `type ${typeName} = ${typeText(schema, names)}`].join('\n\n')
}

/** The rows of the parameters: `{ name, type, isRequired, expected }`. */
export function parameterRows(schema, api) {
  return Object.entries(schema.shape).map(([name, param]) => {
    const { expected, isOptional } = param
    return { name, isRequired: isOptional !== true, type: parameterType(param, api), expected }
  })
}

function parameterType(param, api) {
  const { known, list } = param
  if (known !== undefined) return known.map(quote).join(' | ')
  if (list === undefined) return parameterWord(param, api)
  const type = parameterType(list.item, api)
  return list.takesOne ? `${type} | readonly ${type}[]` : `readonly ${type}[]`
}

function typeText(schema, names) {
  const name = names.get(schema)
  if (name !== undefined) return name
  const { field, collection, known, variants, tree, tagged } = partsOf(schema) ?? {}
  if (field !== undefined) return typeText(field, names)
  if (collection !== undefined) return typeText(collection, names)
  if (known !== undefined) return [...known.values.map(quote), '(string & {})'].join(' | ')
  if (variants !== undefined) return variantsText(variants, names)
  if (tree !== undefined) {
    return `${typeText(tree.node, names)} & { ${quoteKey(tree.key)}: ${TREE_NAME}[] }`
  }
  if (tagged !== undefined) return taggedText(tagged, names)
  const { type, element, shape, valueType } = schema.def
  if (type === 'array') return listText(typeText(element, names))
  if (type === 'record') return `Record<string, ${typeText(valueType, names)}>`
  if (type === 'object') return objectText(shape, names)
  return type === 'unknown' ? 'unknown' : resultWord(schema).type
}

/** The common fields, and what each tag says of the content. */
function taggedText({ fields, tag, content, options }, names) {
  const members = Object.entries(options).map(([known, option]) => {
    const details = `${quoteKey(content)}?: ${typeText(option, names)} | undefined`
    return `{\n${quoteKey(tag)}: ${quote(known)}\n${details}\n}`
  })
  return `${typeText(fields, names)} & (\n| ${members.join('\n| ')}\n)`
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
  const isJoined = /^[^{]*\|/.test(item) || /\} (?:\| \{|& [({])/.test(item)
  return isJoined ? `(${item})[]` : `${item}[]`
}

function objectText(shape, names, ownLines = []) {
  const lines = Object.entries(shape).map(([key, field]) => {
    const { field: inner = field, instead } = partsOf(field) ?? {}
    const isOptional = inner !== field && instead === undefined
    const type = typeText(inner, names)
    const note = noteOf(inner)
    return `${quoteKey(key)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}${note}`
  })
  return `{\n${[...ownLines, ...lines].join('\n')}\n}`
}

function noteOf(schema) {
  const note = isWord(schema) ? resultWord(schema).note : undefined
  return note === undefined ? '' : ` // ${note}`
}

/** How often each object of a result occurs in it, what occurs again or has a page of its own being counted once. */
function countSchemas(schema, imported, counts = new Map()) {
  const count = counts.get(schema) ?? 0
  counts.set(schema, count + 1)
  if (count > 0 || imported.has(schema)) return counts
  for (const one of innerOf(schema)) if (one !== undefined) countSchemas(one, imported, counts)
  return counts
}

/** The schemas that a schema is made of. */
function innerOf(schema) {
  const { field, collection, variants, tree, tagged } = partsOf(schema) ?? {}
  const { element, shape = {}, valueType } = schema.def
  return [
    field,
    collection,
    tree?.node,
    tagged?.fields,
    element,
    valueType,
    ...Object.values(variants?.options ?? {}),
    ...Object.values(tagged?.options ?? {}),
    ...Object.values(shape),
  ]
}

/** Whether the stack of a get-method is part of a result. */
function usesStack(counts) {
  return [...counts.keys()].some((one) => isWord(one) && resultWord(one).type === 'StackItem[]')
}

function isWord(schema) {
  return partsOf(schema)?.read !== undefined
}

function quote(text) {
  return `'${text}'`
}

function quoteKey(key) {
  return /^\w+$/.test(key) ? key : quote(key)
}
