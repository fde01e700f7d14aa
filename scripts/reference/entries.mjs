// What the entries of the packages export, from the declarations that the build makes of them.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

const modules = new Map()

/**
 * The entries of a package that have declarations.
 * @returns `[{ name, folder, exports, additions }]`, `exports` as {@link readExport} makes them, `additions` being what an
 * entry adds to types of others, `[{ doc, text, file }]`
 */
export function readEntries(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(manifest.exports ?? {})
    .filter(([, targets]) => targets.import?.types !== undefined)
    .map(([path, targets]) => {
      const file = join(folder, targets.import.types)
      return {
        name: join(manifest.name, path),
        folder,
        exports: exportedNames(file).map((name) => readExport(file, name)),
        additions: additionsOf(readModule(file)),
      }
    })
}

function exportedNames(file) {
  return readModule(file)
    .program.body.filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((statement) => [
      ...declaredNames(statement),
      ...statement.specifiers.map(({ exported }) => exported.name),
    ])
    .toSorted((one, other) => one.localeCompare(other))
}

/**
 * Follows a name to where it is declared.
 * @returns `{ name, kind, doc, texts, file }`: all its declarations, without `export`; `file` below the package's `src`
 */
function readExport(file, name) {
  const module = readModule(file)
  const own = module.program.body.filter((statement) => declaredNames(statement).includes(name))
  if (own.length === 0) {
    const [next, original] = origin(module, name)
    return { ...readExport(next, original), name }
  }
  return {
    name,
    kind: kindOf(own.map(({ declaration }) => declaration ?? own[0])),
    doc: own.map((statement) => docBefore(module, statement)).find((doc) => doc !== '') ?? '',
    texts: own.map((statement) => textOf(module, statement)),
    file: sourceOf(file),
  }
}

/** The file and the name behind `export { a as name } from './file.js'`, or behind an import that is exported. */
function origin({ file, program }, name) {
  for (const { source, specifiers = [] } of program.body) {
    const found = specifiers.find((one) => (one.exported ?? one.local).name === name)
    if (found !== undefined && source !== null) {
      const original = (found.exported === undefined ? found.imported : found.local).name
      return [join(dirname(file), source.value.replace(/\.js$/, '.d.ts')), original]
    }
  }
  throw new Error(`${file} does not say where ${name} comes from`)
}

function additionsOf(module) {
  return module.program.body
    .filter(({ type, id }) => type === 'TSModuleDeclaration' && id.type === 'Literal')
    .map((statement) => ({
      doc: docBefore(module, statement),
      text: textOf(module, statement),
      file: sourceOf(module.file),
    }))
}

function declaredNames(statement) {
  const declaration = statement.declaration ?? statement
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.map(({ id }) => id.name)
  }
  return declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

function kindOf(declarations) {
  const types = declarations.map(({ type }) => type)
  if (types.includes('ClassDeclaration')) return 'class'
  if (types.some((type) => /Function/.test(type))) return 'function'
  if (types.includes('VariableDeclaration')) return 'constant'
  return 'type'
}

/** The docstring that ends right before a statement. */
function docBefore({ comments, source }, { start }) {
  const before = comments.findLast(({ end }) => end <= start)
  const isAdjacent = before !== undefined && source.slice(before.end, start).trim() === ''
  return isAdjacent && before.value.startsWith('*') ? linesOf(before.value) : ''
}

function linesOf(comment) {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
}

/** The text of a declaration, without what is private in a class. */
function textOf({ source }, statement) {
  const declaration = statement.declaration ?? statement
  const members = declaration.type === 'ClassDeclaration' ? declaration.body.body : []
  let text = ''
  let from = statement.start
  members.forEach((member, index) => {
    const begin = index === 0 ? declaration.body.start + 1 : members[index - 1].end
    text += source.slice(from, begin)
    from = isPrivate(member) ? member.end : begin
  })
  return (text + source.slice(from, statement.end)).replace(/^export /, '')
}

function isPrivate({ key, accessibility }) {
  return accessibility === 'private' || key?.type === 'PrivateIdentifier'
}

function sourceOf(file) {
  const source = file.replace(/\bdist\/esm\//, 'src/').replace(/\.d\.ts$/, '.ts')
  if (!existsSync(source)) throw new Error(`${file} has no source ${source}`)
  return source
}

function readModule(file) {
  if (!modules.has(file)) {
    const source = readFileSync(file, 'utf8')
    const { program, comments, errors } = parseSync(file, source)
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
    modules.set(file, { file, source, program, comments })
  }
  return modules.get(file)
}
