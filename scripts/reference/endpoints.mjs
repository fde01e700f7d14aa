// Gathers what the pages say about each endpoint: from the table of the client, its schemas and the docstrings.
import { readdirSync } from 'node:fs'
import { partsOf } from '../../packages/core/dist/esm/schema/parts.js'
import { readDocstrings } from './docstrings.mjs'
import { parameterRows, resultDeclarations } from './types.mjs'

/** @returns the categories of an API, `[{ title, text, endpoints }]`, with all endpoints of its table. */
export async function gatherCategories(api) {
  const schemaNames = await readSchemaNames(api)
  const gatherCategory = ([file, title]) => {
    const { category, endpoints } = readDocstrings(`${api.sources}/${file}.ts`)
    const gathered = Object.entries(endpoints).map(([name, docstrings]) =>
      gather({ api, name, category: title, docstrings, schemaNames }),
    )
    return { title, text: category.text, endpoints: gathered }
  }
  const categories = Object.entries(api.categories).map(gatherCategory)
  const found = categories.flatMap(({ endpoints }) => endpoints.map(({ name }) => name))
  const missing = Object.keys(api.table).filter((name) => !found.includes(name))
  if (missing.length > 0) throw new Error(`no category has ${missing.join(', ')}`)
  return categories
}

/** @returns the types of an API that have pages of their own, `[{ name, text, declarations }]`. */
export async function gatherTypes(api) {
  const schemaNames = await readSchemaNames(api)
  return api.types.map(({ name, schema, text }) => {
    const others = api.types.filter((one) => one.schema !== schema)
    return { name, text, declarations: resultDeclarations(name, schema, { schemaNames, others }) }
  })
}

function gather({ api, name, category, docstrings, schemaNames }) {
  const endpoint = api.table[name]
  const { params } = endpoint
  const { text, tags } = docstrings.docstring
  const lead = firstSentence(text)
  const textsOf = (tag) => tags.filter((one) => one.name === tag).map((one) => one.text)
  const [example] = textsOf('example')
  if (example === undefined) throw new Error(`${name}: the docstring has no @example`)
  const typeName = `${name[0].toUpperCase()}${name.slice(1)}Result`
  return {
    ...endpoint,
    category,
    example,
    typeName,
    lead,
    // The page says so in a row of its own.
    details: text.slice(lead.length).replace(api.servers.remark, '').trim(),
    canWalk: 'iterate' in api.client[name],
    canFollow: 'follow' in api.client[name],
    params: parameterRows(params, api).map((row) => describeParam(name, row, docstrings.params)),
    rules: params.rules.map((rule) => rule.text),
    declarations: resultDeclarations(typeName, api.resultOf(endpoint), {
      schemaNames,
      others: api.types,
    }),
    errors: textsOf('throws'),
  }
}

/** What words in code hold, as in `last.seqno`, ends no sentence. */
function firstSentence(text) {
  return /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}

function describeParam(endpoint, row, docstrings) {
  const docstring = docstrings[row.name]
  if (docstring === undefined) throw new Error(`${endpoint}: ${row.name} has no docstring`)
  const whenLeftOut = docstring.tags.find(({ name }) => name === 'default')?.text
  return { ...row, text: docstring.text, whenLeftOut }
}

/** Names for the schemas that files share, after what they are exported as. */
async function readSchemaNames({ schemas }) {
  const files = readdirSync(schemas).filter((file) => file.endsWith('.js'))
  const modules = await Promise.all(files.map((file) => import(new URL(file, schemas).href)))
  const named = modules.flatMap((module) => Object.entries(module))
  return new Map(
    named
      .filter(([, schema]) => schema?.def?.type === 'object' || partsOf(schema)?.variants)
      .map(([name, schema]) => [schema, `${name[0].toUpperCase()}${name.slice(1)}`]),
  )
}
