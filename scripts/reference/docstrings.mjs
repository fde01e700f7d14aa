// Reads the docstrings of the endpoints and of their parameters, which no program sees at run time.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * The docstrings of one file of endpoints: of the category, of each endpoint and of each of its parameters.
 * @returns `{ category, endpoints: { [name]: { docstring, params: { [name]: docstring } } } }`
 */
export function readDocstrings(file) {
  const module = readModule(file)
  const exported = module.program.body.find(({ type }) => type === 'ExportNamedDeclaration')
  const endpoints = exported.declaration.declarations[0].init.properties.map((property) => {
    const definition = property.value.arguments[1].properties
    const params = definition.find(({ key }) => key.name === 'params').value
    const described = Object.fromEntries(
      propertiesOf(params, module).map((param) => [param.node.key.name, docstringOf(param)]),
    )
    return [
      property.key.name,
      { docstring: docstringOf({ node: property, module }), params: described },
    ]
  })
  return {
    category: docstringOf({ node: exported, module }),
    endpoints: Object.fromEntries(endpoints),
  }
}

/** @returns `{ file, source, program, comments, constants }`, the constants by name. */
function readModule(file) {
  const source = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const statements = program.body.map((statement) => statement.declaration ?? statement)
  const constants = new Map(
    statements
      .filter(({ type }) => type === 'VariableDeclaration')
      .flatMap(({ declarations }) => declarations)
      .map(({ id, init }) => [id.name, init]),
  )
  return { file, source, program, comments, constants }
}

/** The properties of `paramsObject({ … })`, `[{ node, module }]`, wherever its parts stand. */
function propertiesOf(node, module) {
  if (node.type === 'Identifier') return propertiesOfName(node.name, module)
  if (node.type === 'CallExpression') return propertiesOf(node.arguments[0], module)
  return node.properties.flatMap((property) =>
    property.type === 'SpreadElement'
      ? propertiesOf(property.argument, module)
      : [{ node: property, module }],
  )
}

/** The properties of a constant of the module itself, or of one that it imports. */
function propertiesOfName(name, module) {
  const constant = module.constants.get(name)
  if (constant !== undefined) return propertiesOf(constant, module)
  const declaration = module.program.body.find(({ specifiers }) =>
    specifiers?.some(({ local }) => local.name === name),
  )
  const file = join(dirname(module.file), declaration.source.value.replace(/\.js$/, '.ts'))
  return propertiesOfName(name, readModule(file))
}

/** The docstring that stands ahead of a node, other comments between them left out. */
function docstringOf({ node, module: { source, comments } }) {
  let start = node.start
  for (const comment of comments.toReversed()) {
    if (comment.end > start || source.slice(comment.end, start).trim() !== '') continue
    if (comment.value.startsWith('*')) return parseDocstring(comment.value)
    start = comment.start
  }
  return undefined
}

/** @returns `{ text, tags: [{ name, text }] }` */
function parseDocstring(comment) {
  const lines = comment.slice(1).trim().split('\n')
  const bare = lines.map((line) => line.replace(/^\s*\* ?/, '')).join('\n')
  const [text, ...tags] = bare.split(/(?:^|\n| )@(?=(?:throws|default|example)\b)/)
  return {
    text: joinLines(text),
    tags: tags.map((tag) => {
      const [name] = /^\w+/.exec(tag)
      const rest = tag.slice(name.length).trim()
      return { name, text: name === 'example' ? rest : joinLines(rest) }
    }),
  }
}

function joinLines(text) {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim()
}
