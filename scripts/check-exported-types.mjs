// Checks that each type that a public signature shows can be imported from the same entry. Reads the declarations that tsc has
// written to dist/types. An entry owns the folder of its name, in src or in a folder of it; `index` owns the others. Types that it passes on from the folder of
// another entry are checked there.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { packageFolders } from './files.mjs'
import { readJson } from './pack.mjs'

/** Code that packages of tonplug share; not for apps. */
const INTERNAL = 'internal'

const modules = new Map()

for (const folder of packageFolders('packages')) {
  const { exports = {} } = readJson(join(folder, 'package.json'))
  const entries = Object.values(exports)
    .map((conditions) => conditions.import?.types ?? conditions.types)
    .filter((path) => path !== undefined)
    .map((path) => basename(path, '.d.ts'))
  const types = join(folder, 'dist/types')
  for (const entry of entries.filter((name) => name !== INTERNAL)) {
    for (const { name, user } of hiddenTypes(types, entry, entries)) {
      console.error(`${folder}: ${entry} must export ${name}, which ${user} shows`)
      process.exitCode = 1
    }
  }
}

/** Returns the declarations of the package that the exported ones show, and that the entry does not export. */
function hiddenTypes(root, entry, entries) {
  const exported = exportedBy(join(root, `${entry}.d.ts`))
  const hidden = new Map()
  const shownBy = new Map(exported)
  for (const { file, name: user, nodes } of shownBy.values()) {
    const path = relative(root, file)
    const parts = path.replace(/\.d\.ts$/, '').split('/')
    const owner = parts.slice(0, 2).findLast((part) => entries.includes(part)) ?? 'index'
    if (owner !== entry && !path.startsWith('shared/')) continue
    for (const name of referencedNames(nodes)) {
      const shown = find(file, name)
      if (shown === undefined || shownBy.has(shown.id)) continue
      // A value itself is not imported as a type, but its type may show others.
      if (shown.nodes.some(isType)) hidden.set(shown.id, { name, user })
      else shownBy.set(shown.id, shown)
    }
  }
  return hidden.values()
}

function isType({ type }) {
  return ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'].includes(type)
}

/** Returns the declarations that a module exports, by their ids. */
function exportedBy(file) {
  const { exports, reexported } = readModule(file)
  const own = [...exports.values()].map((name) => find(file, name)).filter(Boolean)
  const others = reexported.flatMap((from) => [...exportedBy(from).values()])
  return new Map([...own, ...others].map((one) => [one.id, one]))
}

/** Returns what a file calls `name`, also if another file declares it; `undefined` for globals and other packages. */
function find(file, name) {
  const { imports, declarations } = readModule(file)
  const from = imports.get(name)
  if (from !== undefined) {
    const local = readModule(from.file).exports.get(from.name)
    return local === undefined ? undefined : find(from.file, local)
  }
  const nodes = declarations.get(name)
  return nodes && { id: `${file}#${name}`, file, name, nodes }
}

function readModule(file) {
  if (modules.has(file)) return modules.get(file)
  const module = { imports: new Map(), declarations: new Map(), exports: new Map(), reexported: [] }
  modules.set(file, module)
  for (const statement of parseSync(file, readFileSync(file, 'utf8')).program.body) {
    addStatement(module, statement, (path) => join(dirname(file), path.replace(/\.js$/, '.d.ts')))
  }
  return module
}

function addStatement({ imports, declarations, exports, reexported }, statement, locate) {
  const { source, specifiers = [], declaration, type } = statement
  const from = source?.value.startsWith('.') ? locate(source.value) : undefined
  if (type === 'ExportAllDeclaration' && from) reexported.push(from)
  for (const { local, imported, exported } of specifiers) {
    if (exported !== undefined) exports.set(exported.name, local.name)
    if (from !== undefined) imports.set(local.name, { file: from, name: (imported ?? local).name })
  }
  const declared = declaration ?? statement
  for (const { id } of declared.declarations ?? [declared]) {
    if (id?.name === undefined) continue
    declarations.set(id.name, [...(declarations.get(id.name) ?? []), declared])
    if (declaration) exports.set(id.name, id.name)
  }
}

/** Returns the names of the types and values that declarations refer to, without type parameters. */
function referencedNames(declarations) {
  const names = new Set()
  const parameters = new Set()
  visit(declarations, (node) => {
    if (node.type === 'TSTypeParameter') parameters.add(node.name.name)
    if (node.type === 'TSMappedType') parameters.add(node.key.name)
    const isHeritage = node.type === 'TSInterfaceHeritage' || node.type === 'TSClassImplements'
    names.add(
      leftmost(
        node.typeName ?? node.exprName ?? node.superClass ?? (isHeritage && node.expression),
      ),
    )
  })
  return [...names].filter((name) => name !== undefined && !parameters.has(name))
}

function visit(node, act) {
  if (typeof node?.type === 'string') act(node)
  if (typeof node !== 'object' || node === null) return
  for (const child of Object.values(node)) visit(child, act)
}

/** Returns `a` of `a.b.c`. */
function leftmost(target) {
  return target?.left === undefined ? target?.name : leftmost(target.left)
}
