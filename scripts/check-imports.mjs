// Enforces who may import what:
// - core imports its own dependencies only; Node's built-ins (node:crypto) in webhook/signature.ts alone
// - the other packages import the entries of `@tonplug/core`, their own dependencies and peers; never each other
// - the command line `tonplug` stands on top of them, and imports the entries that it declares
// - relative imports stay inside their package and never go through its index.ts
// - only entries re-export, name by name; `export *` is nowhere
// - nothing that src/index.ts loads imports an optional peer: those are for the other entries, or loaded on demand
// - examples use packages by name
// Tests, not being published, may import what their package or the workspace declares.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { filesBelow, packageFolders } from './files.mjs'

// What packages may import of core, and the optional peers that come with it.
const CORE = new Map([
  ['@tonplug/core', []],
  ['@tonplug/core/contract', ['@ton/core']],
  ['@tonplug/core/opentelemetry', ['@opentelemetry/api']],
])

const workspace = JSON.parse(readFileSync('package.json', 'utf8'))
const problems = []
const folders = packageFolders('packages', 'examples')

for (const folder of folders) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const file of ['src', 'test'].flatMap((part) => filesBelow(join(folder, part), '.ts'))) {
    checkFile(folder, manifest, file)
  }
  if (folder.startsWith('packages')) checkMainEntry(folder, manifest)
}

for (const problem of problems) console.error(problem)
console.log(`${folders.length} packages checked, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function checkFile(folder, manifest, file) {
  const isPackage = folder.startsWith('packages')
  const inPackage = relative(folder, file)
  const isTest = inPackage.startsWith('test') || /\.test(-d)?\.ts$/.test(file)
  const isEntry = entriesOf(manifest).includes(inPackage)
  const { imports, reexports } = readModule(file)
  const complain = (text) => problems.push(`${file}: ${text}`)

  for (const { name, all } of reexports) {
    if (all) complain(`export * from '${name}'`)
    else if (isPackage && !isEntry) complain(`re-exports '${name}'; only an entry may`)
  }
  for (const name of imports) {
    const problem = name.startsWith('.')
      ? relativeProblem(folder, file, name, isPackage)
      : packageProblem(manifest, inPackage, name, { isPackage, isTest })
    if (problem !== undefined) complain(problem)
  }
}

/** The source files of the entries that `exports` names. */
function entriesOf(manifest) {
  return Object.values(manifest.exports ?? {})
    .map((entry) => entry.import?.default?.replace(/^.\/dist\/esm\//, 'src/'))
    .filter((path) => path !== undefined)
    .map(sourceOf)
}

function sourceOf(path) {
  return path.replace(/\.js$/, '.ts')
}

function checkMainEntry(folder, manifest) {
  const isOptional = (name) => manifest.peerDependenciesMeta?.[name]?.optional === true
  const main = entriesOf(manifest).filter((path) => path === join('src', 'index.ts'))
  const needed = new Set(main.map((path) => join(folder, path)))
  for (const file of needed) {
    for (const name of readModule(file).loaded) {
      const [peer] = [name, ...(CORE.get(name) ?? [])].filter(isOptional)
      if (peer !== undefined) problems.push(`${file}: src/index.ts needs it, and so '${peer}'`)
      if (name.startsWith('.')) needed.add(sourceOf(join(dirname(file), name)))
    }
  }
}

function relativeProblem(folder, file, name, isPackage) {
  const target = relative(folder, resolve(dirname(file), name))
  if (target.startsWith('..')) return `'${name}' leaves the package`
  if (isPackage && target === join('src', 'index.js')) {
    return `'${name}' goes through the entry; import the defining file`
  }
  return undefined
}

function packageProblem(manifest, inPackage, name, { isPackage, isTest }) {
  const isCore = manifest.name === '@tonplug/core'
  const dependency = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

  if (name.startsWith('node:')) {
    const isAllowed = !isCore || isTest || inPackage === join('src', 'webhook', 'signature.ts')
    return isAllowed ? undefined : `core may import ${name} in webhook/signature.ts only`
  }
  if (builtinModules.includes(name)) return `write 'node:${name}'`
  const isSibling = name.startsWith('@tonplug/') && !CORE.has(name)
  if (isPackage && !isTest && isSibling && manifest.name !== 'tonplug') {
    return `packages import ${[...CORE.keys()].join(' and ')} only, not '${name}'`
  }
  const declared = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...(isTest && {
      ...manifest.devDependencies,
      ...workspace.devDependencies,
      [manifest.name]: true,
    }),
  }
  return dependency in declared ? undefined : `'${dependency}' is not a declared dependency`
}

function readModule(file) {
  const source = readFileSync(file, 'utf8')
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const reexports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => moduleRequest !== null)
    .map(({ moduleRequest, importName }) => ({
      name: moduleRequest.value,
      all: importName.kind.startsWith('All'),
    }))
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    source.slice(start, end).replace(/^['"`]|['"`]$/g, ''),
  )
  const loaded = new Set([
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...reexports.map(({ name }) => name),
  ])
  return { imports: new Set([...loaded, ...dynamic]), loaded, reexports }
}
