// Writes docs/reference/v2 and docs/reference/v3: an index and one page per endpoint. Docstrings and types come from the
// TypeScript compiler, paths and checks of parameters from the built @tonplug/core.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { v2Endpoints, v3Endpoints } from '@tonplug/core/internal'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'

const CORE = new URL('../packages/core/', import.meta.url)
/** The clients of each API: the constant in examples, the function that creates it, its type, its entry, and its table. */
const APIS = [
  {
    name: 'v2',
    clients: [
      {
        name: 'v2',
        create: 'createV2Client',
        type: 'V2Client',
        entry: 'toncenter',
        endpoints: v2Endpoints,
      },
    ],
    types: [],
    paging: 'data-apis.md#paging',
  },
  {
    name: 'v3',
    clients: [
      {
        name: 'v3',
        create: 'createV3Client',
        type: 'V3Client',
        entry: 'toncenter',
        endpoints: v3Endpoints,
      },
    ],
    types: ['V3Transaction', 'V3Action', 'V3Trace'],
    paging: 'pagination-and-watching.md',
  },
]
/** Constants that examples use without declaring them. */
const SAMPLES = {
  address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  source: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  destination: '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
  hash: 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM=',
  boc: 'te6cckEBAQEAAgAAAEysuc0=',
  master: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
}
const NO_TRUNCATION = ts.TypeFormatFlags.NoTruncation
const ERRORS = '[The errors of every call](../../guide/data-apis.md#errors)'

const program = createProgram()
const checker = program.getTypeChecker()
for (const api of APIS) await writePages(api)

function createProgram() {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
  }
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(
    new URL('tsconfig.json', CORE).pathname,
    { noEmit: true },
    host,
  )
  return ts.createProgram(fileNames, options)
}

async function writePages(api) {
  const folder = new URL(`reference/${api.name}/`, import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const named = new Map(
    ['StackItem', ...api.types].map((name) => [declaredType('toncenter', name), name]),
  )
  const endpoints = api.clients.flatMap((client) => {
    const methods = declaredType(client.entry, client.type)
    const table = definedEndpoints(client.name)
    return Object.values(client.endpoints).map((definition) => ({
      ...readEndpoint(definition, methods.getProperty(definition.name), named),
      category: categoryOf(table.getProperty(definition.name)),
      client,
    }))
  })
  const pages = [
    ['README', indexPage(api, endpoints)],
    ...endpoints.map((endpoint) => [endpoint.name, endpointPage(api, endpoint)]),
    ...[...named].slice(1).map(([type, name]) => [name, typePage(name, type, named)]),
  ]
  const options = { ...(await resolveConfig('.prettierrc.json')), parser: 'markdown' }
  for (const [name, text] of pages) {
    writeFileSync(new URL(`${name}.md`, folder), await format(text, options))
  }
}

/** Returns the type that an entry of core exports. */
function declaredType(entry, name) {
  const file = new URL(`src/${entry}.ts`, CORE).pathname
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  const symbol = checker.getExportsOfModule(module).find((one) => one.name === name)
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
  return checker.getDeclaredTypeOfSymbol(isAlias ? checker.getAliasedSymbol(symbol) : symbol)
}

/** Returns the type of the table of an API. */
function definedEndpoints(api) {
  const file = new URL('src/internal.ts', CORE).pathname
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  const symbol = checker.getExportsOfModule(module).find(({ name }) => name === `${api}Endpoints`)
  return checker.getTypeOfSymbol(checker.getAliasedSymbol(symbol))
}

/** Returns the name of the file that defines an endpoint. */
function categoryOf(symbol) {
  return basename(symbol.declarations[0].getSourceFile().fileName, '.ts')
}

function readEndpoint(definition, symbol, named) {
  const method = checker.getTypeOfSymbol(symbol)
  const [signature] = method.getCallSignatures()
  const params = checker.getNonNullableType(checker.getTypeOfSymbol(signature.parameters[0]))
  const [result] = checker.getTypeArguments(signature.getReturnType())
  const [example] = tagsOf(symbol, 'example')
  if (example === undefined) throw new Error(`${symbol.name}: the docstring has no @example`)
  const [, lead, details] = /^([^]*?\.)(?:\s+([^]*))?$/.exec(docOf(symbol))
  return {
    ...definition,
    lead,
    details,
    example,
    loops: checker.getPropertiesOfType(method).map(({ name }) => name),
    parameters: checker.getPropertiesOfType(params).map(readParameter),
    result: declare('Result', result, named),
    errors: tagsOf(symbol, 'throws'),
  }
}

function readParameter(symbol) {
  const text = docOf(symbol)
  if (text === '') throw new Error(`the parameter ${symbol.name} has no docstring`)
  const type = checker.typeToString(withoutUndefined(symbol), undefined, NO_TRUNCATION)
  const byDefault = isOptional(symbol) ? (tagsOf(symbol, 'default')[0] ?? 'optional') : 'required'
  return { name: symbol.name, type, text, byDefault }
}

/** Declares a type as `name`, expanded, followed by the interfaces and recursive types that it refers to. */
function declare(name, type, named) {
  const others = new Map()
  const open = new Set()
  const expand = (inner) => {
    if (named.has(inner)) return named.get(inner)
    if (inner.isUnion()) return unionText(inner.types.map((member) => `(${expand(member)})`))
    if (!isObject(inner)) return checker.typeToString(inner)
    const [items, values] = [inner.getNumberIndexType(), inner.getStringIndexType()]
    if (values !== undefined) return `Record<string, ${expand(values)}>`
    if (items !== undefined) return `(${expand(items)})[]`
    if (!inner.isClassOrInterface() && !open.has(inner)) return objectText(inner)
    others.set(inner, (inner.aliasSymbol ?? inner.symbol).name)
    return others.get(inner)
  }
  const objectText = (inner) => {
    open.add(inner)
    const properties = checker.getPropertiesOfType(inner).map((property) => {
      const text = expand(withoutUndefined(property))
      return `'${property.name}'${isOptional(property) ? '?' : ''}: ${text}`
    })
    open.delete(inner)
    return `{ ${properties.join('; ')} }`
  }
  const declarations = [
    `type ${name} = ${type.isClassOrInterface() ? objectText(type) : expand(type)}`,
  ]
  // Iterating over a map also visits entries that are added during the iteration.
  for (const [other, own] of others) declarations.push(`type ${own} = ${objectText(other)}`)
  return declarations.join('\n\n')
}

/** Returns true for an object, also if it is an intersection, but not for `string & {}`. */
function isObject(type) {
  const members = type.isIntersection() ? type.types : [type]
  return members.every(({ flags }) => (flags & ts.TypeFlags.Object) !== 0)
}

function unionText(members) {
  const isBoolean = members.includes('(true)') && members.includes('(false)')
  const others = members.filter((member) => !isBoolean || !/^\((true|false)\)$/.test(member))
  return [...others, ...(isBoolean ? ['boolean'] : [])].join(' | ')
}

function isOptional({ flags }) {
  return (flags & ts.SymbolFlags.Optional) !== 0
}

/** Returns the type of a property; that of an optional one without `undefined`. */
function withoutUndefined(property) {
  const type = checker.getTypeOfSymbol(property)
  return isOptional(property) && type.isUnion() ? checker.getNonNullableType(type) : type
}

function docOf(symbol) {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker))
}

function tagsOf(symbol, tag) {
  return symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === tag)
    .map(({ text }) => ts.displayPartsToString(text))
}

function indexPage({ name, clients }, endpoints) {
  const categories = [...new Set(endpoints.map(({ category }) => category))]
  const creators = clients.map(({ create, entry }) => `\`${create}()\` of \`${entryName(entry)}\``)
  return [
    `# API ${name}`,
    `The methods of the clients, one for each of the ${endpoints.length} paths: ${creators.join(', ')}. Each takes \`(params, options?)\`. Types that parameters and results share are in the [reference](../README.md).`,
    ...categories.flatMap((category) => [
      `## ${titleOf(category)}`,
      table(
        ['Method', 'Request', 'Description'],
        endpoints.filter((endpoint) => endpoint.category === category).map(indexRow),
      ),
    ]),
  ].join('\n\n')
}

function indexRow({ name, method, path, lead }) {
  return [`[${name}](${name}.md)`, `\`${method} ${path}\``, lead]
}

function endpointPage(api, endpoint) {
  const { name, lead, details = '', example, parameters, result, params, errors, client } = endpoint
  return [
    `# ${name}`,
    lead,
    details,
    table(['', ''], factsOf(api, endpoint)),
    '## Example',
    code(sampleOf(client, example)),
    '## Parameters',
    parameters.length === 0 ? 'None.' : parametersTable(parameters, params.shape),
    ...params.rules.map(({ text }) => `${text[0].toUpperCase()}${text.slice(1)}.`),
    '## Result',
    code(result, 'no-check'),
    ...linksTo(api.types, result),
    '## Errors',
    ...errors.map((text) => `- ${text.replace(/^\{(\w+)\}/, '`$1`')}`),
    `${errors.length > 0 ? '- ' : ''}${ERRORS}`,
  ].join('\n\n')
}

function factsOf(
  { name: apiName, paging },
  { name, method, takesPost, path, api = apiName, servers, isUndocumented, loops, client },
) {
  return [
    ['Request', `\`${takesPost ? 'GET or POST' : method} /api/${api}${path}\``],
    ['Client', `\`${client.create}()\` of \`${entryName(client.entry)}\``],
    ...(servers === 'cpp' ? [['Servers', 'C++ only']] : []),
    ...(isUndocumented ? [['Official description', 'none']] : []),
    ...loops.map((loop) => [
      titleOf(loop),
      `\`${apiName}.${name}.${loop}(params)\`, see [paging](../../guide/${paging})`,
    ]),
  ]
}

function entryName(entry) {
  return `@tonplug/core/${entry}`
}

function sampleOf({ name, create, entry }, example) {
  const constants = Object.entries(SAMPLES)
    .filter(([sample]) => new RegExp(String.raw`(?<![.\w])${sample}(?!\w)`).test(example))
    .map(([sample, value]) => `const ${sample} = '${value}'`)
  const lines = [
    `import { ${create} } from '${entryName(entry)}'`,
    '',
    `const ${name} = ${create}()`,
  ]
  return [...lines, ...constants, example].join('\n')
}

function parametersTable(parameters, shape) {
  return table(
    ['Name', 'Type', 'Default', 'Description', 'Must be'],
    parameters.map(({ name, type, text, byDefault }) => [
      `\`${name}\``,
      `\`${type}\``,
      byDefault,
      text,
      shape[name].expected,
    ]),
  )
}

function typePage(name, type, named) {
  const others = new Map([...named].filter(([other]) => other !== type))
  const declaration = declare(name, type, others)
  const links = linksTo([...others.values()].slice(1), declaration)
  return [
    `# ${name}`,
    docOf(type.aliasSymbol ?? type.symbol),
    code(declaration, 'no-check'),
    ...links,
  ].join('\n\n')
}

function linksTo(names, text) {
  return names.filter((name) => text.includes(name)).map((name) => `[${name}](${name}.md)`)
}

function code(text, flags = '') {
  return `\`\`\`ts ${flags}\n${text}\n\`\`\``
}

function table(head, rows) {
  const escape = (text) => text.replaceAll('\n', ' ').replaceAll('|', String.raw`\|`)
  const line = (cells) => `| ${cells.map(escape).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Returns `run-method` as `Run method`. */
function titleOf(name) {
  const words = name.replaceAll('-', ' ')
  return `${words[0].toUpperCase()}${words.slice(1)}`
}
