// Loads modules of packages/core/src for the generator, compiled without their types being checked.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const PACKAGE = 'packages/core'

/** @returns `{ import, importAll, remove }`; `remove` deletes what was compiled. */
export async function loadCore() {
  // Inside the package, so that its dependencies are found.
  const folder = mkdtempSync(resolve(PACKAGE, '.compiled-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    compileInto(folder)
  } catch (error) {
    remove()
    throw error
  }
  return {
    remove,
    import: (file) => import(pathToFileURL(join(folder, file)).href),
    importAll: (inside) => importAll(join(folder, inside)),
  }
}

function compileInto(folder) {
  const flags = ['--noCheck', '--composite', 'false', '--incremental', 'false']
  const tsc = 'node_modules/typescript/bin/tsc'
  const args = [tsc, '-p', PACKAGE, '--outDir', folder, '--sourceMap', 'false', ...flags]
  execFileSync(process.execPath, [...args, '--inlineSources', 'false'], { stdio: 'inherit' })
}

/** All modules of a folder. */
async function importAll(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  return Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)))
}
