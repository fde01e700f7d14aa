// Checks examples/nest-existing-app/adding-tonplug.diff: the app without the diff does not mention tonplug, compiles and
// passes its tests, and the diff adds fewer than LINES lines. --update regenerates the diff after a change of the app.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { filesBelow } from './files.mjs'

const LINES = 46
const app = resolve('examples/nest-existing-app')
const diffFile = join(app, 'adding-tonplug.diff')
const parts = ['src', 'test', 'package.json', '.env.example', 'jest.config.js', 'tsconfig.json']
const isUpdate = process.argv.includes('--update')

const root = mkdtempSync(join(tmpdir(), 'tonplug-existing-app-'))
try {
  const [before, after] = [copyApp('a'), copyApp('b')]
  // The app may have changed around the diff that is updated.
  const context = isUpdate ? ['-C1'] : []
  run('git', ['apply', '--reverse', ...context, diffFile], before)
  checkDiff()
  checkWithoutTonplug(before)
  for (const folder of [before, after]) checkTypes(folder)
  run(process.execPath, [join(app, 'node_modules/jest/bin/jest.js')], before)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Copies the app without the tests that mention tonplug. */
function copyApp(name) {
  const folder = join(root, name)
  mkdirSync(folder)
  for (const part of parts) cpSync(join(app, part), join(folder, part), { recursive: true })
  symlinkSync(join(app, 'node_modules'), join(folder, 'node_modules'))
  for (const test of filesBelow(join(folder, 'test'), '.ts')) {
    if (mentionsTonplug(test)) rmSync(test)
  }
  return folder
}

function checkDiff() {
  // Git exits with 1 if there are differences.
  const options = [
    '--no-index',
    '--no-prefix',
    '--no-renames',
    '--no-color',
    '--no-ext-diff',
    '-U3',
  ]
  const { stdout } = spawnSync('git', ['diff', ...options, 'a', 'b'], {
    cwd: root,
    encoding: 'utf8',
  })
  const diff = stdout.replaceAll(/^index .*\n/gm, '')
  if (isUpdate) writeFileSync(diffFile, diff)
  else if (diff !== readFileSync(diffFile, 'utf8')) {
    throw new Error('adding-tonplug.diff is out of date; run this script with --update')
  }
  const added = diff.split('\n').filter((line) => /^\+(?!\+\+ )\s*\S/.test(line)).length
  console.log(`${added} lines add tonplug to the app, blank ones not counted`)
  if (added >= LINES) throw new Error(`Keep adding-tonplug.diff below ${LINES} lines`)
}

function checkWithoutTonplug(folder) {
  const found = filesBelow(folder, '.ts').filter(mentionsTonplug)
  if (found.length > 0)
    throw new Error(`Without the diff, these files still mention tonplug: ${found}`)
}

function mentionsTonplug(file) {
  return /tonplug|webhook/i.test(readFileSync(file, 'utf8'))
}

function checkTypes(folder) {
  run(process.execPath, [join(app, 'node_modules/typescript/bin/tsc'), '--noEmit'], folder)
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}
