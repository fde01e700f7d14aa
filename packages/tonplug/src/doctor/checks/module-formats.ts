import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok, warn, type Check } from '../check.js'

const SCRIPT = /\.[cm]?js$/
const NOT_OWN =
  /^(?:node_modules|dist|build|out|coverage|public|static)$|^\.|\.(?:test|spec|config)\./
const MAX_FILES = 2000
const REQUIRES = /\brequire\(\s*['"]@tonplug\//
const IMPORTS = /^\s*(?:import|export)\b[^;]*?from\s*['"]@tonplug\//m

/** Looks for JavaScript that imports tonplug and JavaScript that requires it. */
export const moduleFormats: Check = {
  name: 'module format',
  run({ folder }) {
    const sources = scriptsBelow(folder).slice(0, MAX_FILES)
    const requiring = sources.find((path) => matches(folder, path, REQUIRES))
    const importing = sources.find((path) => matches(folder, path, IMPORTS))
    if (requiring === undefined && importing === undefined) return undefined
    if (requiring === undefined || importing === undefined) return ok('one format')
    return warn(
      `${importing} imports @tonplug packages and ${requiring} requires them`,
      'Use one format: each has its own copy of every package, and instanceof fails between them.',
    )
  },
}

function scriptsBelow(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OWN.test(entry.name)) return []
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return scriptsBelow(folder, path)
    return SCRIPT.test(entry.name) ? [path] : []
  })
}

function matches(folder: string, path: string, pattern: RegExp): boolean {
  return pattern.test(readFileSync(join(folder, path), 'utf8'))
}
