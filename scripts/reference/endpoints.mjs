// Gathers what the pages say about each endpoint: from the table of the client, its schemas and the docstrings.
import { readdirSync } from 'node:fs'
import { createV2Client, v2Endpoints } from '../../packages/core/dist/esm/index.js'
import { partsOf } from '../../packages/core/dist/esm/schema/parts.js'
import { readDocstrings } from './docstrings.mjs'
import { parameterRows, resultDeclarations } from './types.mjs'

const SOURCES = 'packages/core/src/v2/endpoints'
const SCHEMAS = new URL('../../packages/core/dist/esm/v2/schemas/', import.meta.url)

/** In the order of the API's description. */
const CATEGORIES = {
  accounts: 'Accounts',
  blocks: 'Blocks',
  transactions: 'Transactions',
  send: 'Send',
  'run-method': 'Run method',
  utils: 'Utils',
  configuration: 'Configuration',
  rpc: 'RPC',
}

/** @returns the categories, `[{ title, text, endpoints }]`, with all endpoints of the table. */
export async function gatherCategories() {
  const schemaNames = await readSchemaNames()
  const categories = Object.entries(CATEGORIES).map(([file, title]) => {
    const { category, endpoints } = readDocstrings(`${SOURCES}/${file}.ts`)
    const gathered = Object.entries(endpoints).map(([name, docstrings]) =>
      gather({ name, category: title, docstrings, schemaNames }),
    )
    return { title, text: category.text, endpoints: gathered }
  })
  const found = categories.flatMap(({ endpoints }) => endpoints.map(({ name }) => name))
  const missing = Object.keys(v2Endpoints).filter((name) => !found.includes(name))
  if (missing.length > 0) throw new Error(`no category has ${missing.join(', ')}`)
  return categories
}

function gather({ name, category, docstrings, schemaNames }) {
  const { method, path, servers, doc, params, result } = v2Endpoints[name]
  const { text, tags } = docstrings.docstring
  if (!text.startsWith(doc)) throw new Error(`${name}: doc and the docstring differ`)
  const textsOf = (tag) => tags.filter((one) => one.name === tag).map((one) => one.text)
  const [example] = textsOf('example')
  if (example === undefined) throw new Error(`${name}: the docstring has no @example`)
  const typeName = `${name[0].toUpperCase()}${name.slice(1)}Result`
  return {
    name,
    category,
    method,
    path,
    servers,
    example,
    typeName,
    lead: doc,
    // The page says so in a row of its own.
    details: text.slice(doc.length).replace('C++ server only.', '').trim(),
    canWalk: 'iterate' in CLIENT[name],
    params: parameterRows(params).map((row) => describeParam(name, row, docstrings.params)),
    rules: partsOf(params).rules,
    declarations: resultDeclarations(typeName, result, schemaNames),
    errors: textsOf('throws'),
  }
}

const CLIENT = createV2Client()

function describeParam(endpoint, row, docstrings) {
  const docstring = docstrings[row.name]
  if (docstring === undefined) throw new Error(`${endpoint}: ${row.name} has no docstring`)
  const whenLeftOut = docstring.tags.find(({ name }) => name === 'default')?.text
  return { ...row, text: docstring.text, whenLeftOut }
}

/** Names for the schemas that files share, after what they are exported as. */
async function readSchemaNames() {
  const files = readdirSync(SCHEMAS).filter((file) => file.endsWith('.js'))
  const modules = await Promise.all(files.map((file) => import(new URL(file, SCHEMAS).href)))
  const named = modules.flatMap((module) => Object.entries(module))
  return new Map(
    named
      .filter(([, schema]) => schema.def.type === 'object' || partsOf(schema)?.variants)
      .map(([name, schema]) => [schema, `${name[0].toUpperCase()}${name.slice(1)}`]),
  )
}
