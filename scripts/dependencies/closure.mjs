// What is installed with a package: the run-time dependencies, and theirs.
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/**
 * The packages that installing the package in `folder` brings, without itself and without peers.
 * @returns `[{ name, version, license, bytes, scripts }]` by name, `scripts` being those that npm would run
 */
export function closureOf(folder) {
  const found = new Map()
  visit(realpathSync(folder), found)
  return [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function visit(folder, found) {
  const { dependencies = {}, optionalDependencies = {} } = readManifest(folder)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const installed = findPackage(folder, name)
    if (installed === undefined && name in optionalDependencies) continue
    if (installed === undefined) throw new Error(`${name} of ${folder} is not installed`)
    if (found.has(installed)) continue
    found.set(installed, describe(installed))
    visit(installed, found)
  }
}

/** Where Node finds a package from a folder. */
function findPackage(folder, name) {
  const candidate = join(folder, 'node_modules', name)
  if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
  const parent = dirname(folder)
  return parent === folder ? undefined : findPackage(parent, name)
}

function describe(folder) {
  const { name, version, license, scripts = {} } = readManifest(folder)
  const declared = INSTALL_SCRIPTS.filter((script) => script in scripts)
  const implied = existsSync(join(folder, 'binding.gyp')) ? ['binding.gyp'] : []
  return { name, version, license, bytes: sizeOf(folder), scripts: [...declared, ...implied] }
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => {
      const stats = statSync(path)
      return sum + (stats.isDirectory() ? sizeOf(path) : stats.size)
    }, 0)
}
