// Enforces who may import what:
// - core imports its own dependencies only; Node's built-ins (node:crypto) in webhook/signature.ts alone
// - the other packages import the entry `@tonplug/core`, their own dependencies and peers; never each other
// - relative imports stay inside their package and never go through its index.ts
// - only src/index.ts re-exports, name by name; `export *` is nowhere
// - examples use packages by name
// Tests, not being published, may import what their package or the workspace declares.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { filesBelow, packageFolders } from './files.mjs'

const workspace = JSON.parse(readFileSync('package.json', 'utf8'))
const problems = []
const folders = packageFolders('packages', 'examples')

for (const folder of folders) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const file of ['src', 'test'].flatMap((part) => filesBelow(join(folder, part), '.ts'))) {
    checkFile(folder, manifest, file)
  }
}

for (const problem of problems) console.error(problem)
console.log(`${folders.length} packages checked, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function checkFile(folder, manifest, file) {
  const isPackage = folder.startsWith('packages')
  const inPackage = relative(folder, file)
  const isTest = inPackage.startsWith('test') || /\.test(-d)?\.ts$/.test(file)
  const isEntry = inPackage === join('src', 'index.ts')
  const { imports, reexports } = readModule(file)
  const complain = (text) => problems.push(`${file}: ${text}`)

  for (const { name, all } of reexports) {
    if (all) complain(`export * from '${name}'`)
    else if (isPackage && !isEntry) complain(`re-exports '${name}'; only src/index.ts may`)
  }
  for (const name of imports) {
    const problem = name.startsWith('.')
      ? relativeProblem(folder, file, name, isPackage)
      : packageProblem(manifest, inPackage, name, { isPackage, isTest })
    if (problem !== undefined) complain(problem)
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
  if (isPackage && !isTest && name.startsWith('@tonplug/') && name !== '@tonplug/core') {
    return `packages import '@tonplug/core' only, not '${name}'`
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
  const imports = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...reexports.map(({ name }) => name),
    ...dynamic,
  ]
  return { imports: new Set(imports), reexports }
}
