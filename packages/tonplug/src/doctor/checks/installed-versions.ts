import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Check } from '../check.js'

const CORE = '@tonplug/core'
const MAX_DEPTH = 4

/** Looks for several versions of core in the app's packages. */
export const installedVersions: Check = {
  name: 'installed packages',
  run({ folder }) {
    const versions = new Set([...findCores(join(folder, 'node_modules'))].map(readVersion))
    if (versions.size === 0) return undefined
    const found = [...versions].toSorted().join(', ')
    if (versions.size === 1) return ok(`${CORE} ${found}`)
    return fail(
      `several versions of ${CORE} are installed: ${found}`,
      'Give all @tonplug packages the same version, then install again; npm ls @tonplug/core shows who needs which.',
    )
  },
}

/** Returns the folders of core below a `node_modules`, without following links. */
function findCores(modules: string, depth = 0): Set<string> {
  const found = new Set<string>()
  if (depth > MAX_DEPTH || !existsSync(modules)) return found
  if (existsSync(join(modules, CORE, 'package.json'))) found.add(realpathSync(join(modules, CORE)))
  for (const place of packagesIn(modules)) {
    for (const core of findCores(join(place, 'node_modules'), depth + 1)) found.add(core)
  }
  return found
}

/** Returns the folders of packages, including folders of scopes and of pnpm's store. */
function packagesIn(modules: string): string[] {
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return []
    const path = join(modules, entry.name)
    const hasPackages = entry.name.startsWith('@') || entry.name === '.pnpm'
    return hasPackages ? packagesIn(path) : [path]
  })
}

function readVersion(folder: string): string {
  // A published package has a version.
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  return manifest.version
}
