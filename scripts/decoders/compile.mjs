// Compiles schemas into straight-line TypeScript. The code converts in place, with the same readers as the schemas.
import { camelCase } from './names.mjs'

/**
 * @param results pairs of an endpoint's name and its schema
 * @param tools the reader `readString`, `names` of schemas, `readers` by their functions
 *   and `isShort`: whether the code is to be short rather than as fast as can be
 * @returns the entries of the table and the functions as text, and the readers to import, by modules
 */
export function compileDecoders(results, tools) {
  const state = {
    ...tools,
    functions: new Map(),
    constants: [],
    imports: new Map(),
    taken: new Set(),
  }
  const entries = results.map(([name, schema]) => `${name}: ${reference(state, schema, name)},`)
  const functions = [...state.functions.values()].map(({ text }) => text)
  return { entries, functions: [...state.constants, ...functions], imports: state.imports }
}

/** Returns the name of the function that converts a value, or an arrow function. */
function reference(state, schema, hint) {
  const call = conversion(state, schema, 'value', hint)
  return nameOfCall(call, 'value') ?? `(value) => ${call}`
}

/** The function that an expression calls with a value alone; `undefined` for any other expression. */
function nameOfCall(expression, value) {
  const [name, ...rest] = expression.split(`(${value})`)
  return rest.join() === '' && rest.length === 1 && /^\w+$/.test(name) ? name : undefined
}

/** The expression that converts `value`, or throws. */
function conversion(state, schema, value, hint) {
  switch (schema.kind) {
    case 'value':
      return `${importReader(state, schema.read)}(${value})`
    case 'any':
      return value
    case 'enum':
      return `${importReader(state, state.readString)}(${value})`
    case 'default':
      return defaultConversion(state, schema, value, hint)
    case 'object':
      return `${functionOf(state, schema, hint, objectBody)}(${value})`
    case 'list':
    case 'map':
      return collectionConversion(state, schema, value, hint)
    case 'tree':
      return `readTree(${value}, ${quote(schema.key)}, ${reference(state, schema.node, `${hint}Node`)})`
    case 'variants':
      return `${functionOf(state, schema, hint, variantsBody)}(${value})`
    case 'tagged':
      return `${functionOf(state, schema, hint, taggedBody)}(${value})`
    default:
      throw new Error(`${hint}: only a field of an object may be absent`)
  }
}

/** Returns the function that reads an item of a list or map. */
function itemReader(state, schema, hint) {
  return reference(state, schema, `${hint}Item`)
}

/** Reads null, and unless it must be there nothing, as the empty list or map. */
function collectionConversion(state, { kind, inner, absent }, value, hint) {
  const [reader, none] = kind === 'list' ? ['readList', '[]'] : ['readMap', '{}']
  const orNone = { empty: `${value} ?? ${none}`, refused: `${value} === null ? ${none} : ${value}` }
  return `${reader}(${orNone[absent] ?? value}, ${itemReader(state, inner, hint)})`
}

/** Reads the default value instead of null and undefined; for lenient fields, also instead of unreadable values. */
function defaultConversion(state, { inner: field, instead }, value, hint) {
  const standIn = `${value} ?? ${JSON.stringify(instead)}`
  if (field.absent !== 'unreadable' || field.kind !== 'optional') {
    return conversion(state, field, `(${standIn})`, hint)
  }
  const read = itemReader(state, field.inner, hint)
  const otherwise = conversion(state, field.inner, JSON.stringify(instead), hint)
  return `orUnread(${standIn}, ${read}) ?? ${otherwise}`
}

/** The name of the function for a schema, which is written when it is met first. */
function functionOf(state, schema, hint, writeBody) {
  const written = state.functions.get(schema)
  if (written !== undefined) return written.name
  const name = takeName(state, state.names.get(schema) ?? camelCase(hint))
  const made = { name, text: '' }
  // Before its body, which may refer to it.
  state.functions.set(schema, made)
  made.text = `function ${name}(value: unknown): unknown {\n${writeBody(state, schema, name)}\n}`
  return name
}

function objectBody(state, schema, name) {
  const lines = Object.entries(schema.shape).map(([key, field]) =>
    fieldLines(state, key, field, camelCase(name, key)),
  )
  const code = lines.join('\n')
  const given = new RegExp(String.raw`\b${GIVEN}\b`).test(code) ? [`let ${GIVEN}: unknown`] : []
  return [...given, 'checkObject(value)', code, 'return value'].join('\n')
}

/** The variable for a field that may be absent. */
const GIVEN = 'given'

/** Looks up a field once and writes it only when it may have changed: both are slow for objects of many shapes. */
function fieldLines(state, key, field, hint) {
  const place = `value${access(key)}`
  if (field.kind === 'optional') return optionalLines(state, field, { place, key }, hint)
  if (field.kind === 'any') throw new Error(`${hint}: make it optional, for anything will do`)
  const converted = conversion(state, field, place, hint)
  return isUnchanged(field) ? converted : `${place} = ${converted}`
}

/** Null is read as absent, and what else counts as that. */
function optionalLines(state, { inner: schema, absent }, { place, key }, hint) {
  if (absent !== undefined) {
    const read = itemReader(state, schema, hint)
    if (state.isShort && absent === 'unreadable')
      return `readLenient(value, ${quote(key)}, ${read})`
    const orAbsent =
      absent === 'empty' ? `orEmptyAbsent(${GIVEN}, ${read})` : `orUnread(${GIVEN}, ${read})`
    return `${GIVEN} = ${place}\nif (${GIVEN} !== undefined) ${place} = ${orAbsent}`
  }
  const converted = conversion(state, schema, GIVEN, hint)
  const read = nameOfCall(converted, GIVEN)
  const isShort = state.isShort && read !== undefined
  if (!isUnchanged(schema)) {
    if (isShort) return `readOptional(value, ${quote(key)}, ${read})`
    const orAbsent =
      read === undefined
        ? `${GIVEN} === null ? undefined : ${converted}`
        : `orAbsent(${GIVEN}, ${read})`
    return `${GIVEN} = ${place}\nif (${GIVEN} !== undefined) ${place} = ${orAbsent}`
  }
  if (isShort) return `checkOptional(value, ${quote(key)}, ${read})`
  if (read !== undefined) return `if (isNullOr(${place}, ${read})) ${place} = undefined`
  if (schema.kind === 'list') {
    const readItem = itemReader(state, schema.inner, hint)
    return `if (isNullOrList(${place}, ${readItem})) ${place} = undefined`
  }
  const check = converted === GIVEN ? '' : `\nelse if (${GIVEN} !== undefined) ${converted}`
  return `${GIVEN} = ${place}\nif (${GIVEN} === null) ${place} = undefined${check}`
}

/** Returns true if reading returns the value itself; true for objects, even if reading changes their fields. */
function isUnchanged({ kind, isUnchanged: isKept, absent }) {
  return kind !== 'default' && isKept !== false && absent === undefined
}

function variantsBody(state, schema, name) {
  const { key, options } = schema
  const reader = importReader(state, state.readString)
  const cases = Object.entries(options).map(([tag, option]) => [
    `case ${quote(tag)}:`,
    `return ${conversion(state, option, 'value', camelCase(name, tag))}`,
  ])
  // Neighbours that are read alike share the code.
  const code = cases.flatMap(([label, answer], index) =>
    cases[index + 1]?.[1] === answer ? [label] : [label, answer],
  )
  return [
    `const tag = ${reader}(fieldsOf(value)${access(key)})`,
    'switch (tag) {',
    ...code,
    'default: return value',
    '}',
  ].join('\n')
}

/** Writes the shapes into a constant, since there may be dozens. */
function taggedBody(state, schema, name) {
  const { fields, details } = schema
  const readers = Object.entries(details).map(([type, option]) => {
    const read = reference(state, option, camelCase(name, 'details', type))
    return `[${quote(type)}, ${read}]`
  })
  const parts = takeName(state, camelCase(name, 'parts'))
  state.constants.push(`const ${parts}: TaggedParts = {
    read: ${reference(state, fields, camelCase(name, 'fields'))},
    details: new Map<string, Decoder>([${readers.join(', ')}]),
  }`)
  return `return readTagged(value, ${parts})`
}

function importReader(state, read) {
  const found = state.readers.get(read)
  if (found === undefined) throw new Error(`no module of readers exports ${read}`)
  const names = state.imports.get(found.from) ?? new Set()
  state.imports.set(found.from, names.add(found.name))
  state.taken.add(found.name)
  return found.name
}

/** `name`, or with a number behind it when it is taken. */
function takeName(state, name) {
  let free = name
  for (let count = 2; state.taken.has(free); count++) free = `${name}${count}`
  state.taken.add(free)
  return free
}

/** Returns the code that accesses a field of an object. */
function access(key) {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${quote(key)}]`
}

function quote(text) {
  return JSON.stringify(text)
}
