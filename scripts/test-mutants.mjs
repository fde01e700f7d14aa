// Tests the tests: changes the engine in one place after the other, and lists the changes that no test notices. Stryker is
// not a dependency of the repository: it is installed into a cache, from where it finds the repository's Vitest.
// `node scripts/test-mutants.mjs orders ledger` does this for two folders.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDERS = ['orders', 'ledger', 'engine', 'inbox', 'watcher']
const VERSION = '10.1.1'
const PACKAGES = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)

const cache = fileURLToPath(new URL('../node_modules/.cache/mutants/', import.meta.url))
const stryker = `${cache}node_modules/@stryker-mutator/core/bin/stryker.js`

/**
 * @param {string} command
 * @param {string[]} parameters
 * @param {import('node:child_process').ExecFileSyncOptions} options
 */
function run(command, parameters, options = {}) {
  execFileSync(command, parameters, { stdio: 'inherit', ...options })
}

mkdirSync(cache, { recursive: true })
writeFileSync(`${cache}package.json`, '{ "private": true }')
run('npm', ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', ...PACKAGES], {
  cwd: cache,
})
const given = process.argv.slice(2)
for (const folder of given.length > 0 ? given : FOLDERS) {
  run(process.execPath, [stryker, 'run', 'scripts/mutants/stryker.config.mjs'], {
    env: { ...process.env, MUTANT_FOLDER: folder },
  })
}
