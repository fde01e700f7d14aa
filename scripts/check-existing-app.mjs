// Checks adding-tonplug.diff of two examples: without the diff, the app does not mention tonplug, compiles and passes its
// tests; the diff adds at most `maxLines` lines. --update regenerates the diffs after a change of an app.
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

const isUpdate = process.argv.includes('--update')

checkApp({
  name: 'examples/checkout',
  maxLines: 15,
  parts: ['src/express/server.ts', 'src/page.ts', 'src/shop.ts', 'src/texts.ts', 'package.json'],
  changed: 'src/express',
  checkTypes(folder) {
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')]
    run([tsc, ...options, ...types, 'src/express/server.ts'], folder)
  },
})
checkApp({
  name: 'examples/nest-existing-app',
  maxLines: 45,
  parts: ['src', 'test', 'package.json', '.env.example', 'jest.config.js', 'tsconfig.json'],
  changed: '.',
  checkTypes: (folder) =>
    run([join(folder, 'node_modules/typescript/bin/tsc'), '--noEmit'], folder),
  test: (folder) => run([join(folder, 'node_modules/jest/bin/jest.js')], folder),
})

function checkApp({ name, maxLines, parts, changed, checkTypes, test }) {
  const root = mkdtempSync(join(tmpdir(), 'tonplug-existing-app-'))
  try {
    const app = resolve(name)
    const diffFile = join(app, 'adding-tonplug.diff')
    const [before, after] = ['a', 'b'].map((copy) => copyApp(app, parts, join(root, copy)))
    // The app may have changed around the diff that is updated.
    const context = isUpdate ? ['-C1'] : []
    execFileSync('git', ['apply', '--reverse', ...context, diffFile], { cwd: before })
    const added = countAdded(readDiff(root, diffFile))
    console.log(`${added} lines add tonplug to ${name}, blank ones not counted`)
    if (added > maxLines) throw new Error(`Keep ${diffFile} at ${maxLines} lines`)
    const found = filesBelow(join(before, changed), '.ts').filter(mentionsTonplug)
    if (found.length > 0) throw new Error(`Without the diff, files still mention tonplug: ${found}`)
    for (const folder of [before, after]) checkTypes(folder)
    test?.(before)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Copies an app without the tests that mention tonplug. */
function copyApp(app, parts, folder) {
  mkdirSync(folder)
  for (const part of parts) cpSync(join(app, part), join(folder, part), { recursive: true })
  symlinkSync(join(app, 'node_modules'), join(folder, 'node_modules'))
  for (const file of filesBelow(join(folder, 'test'), '.ts')) {
    if (mentionsTonplug(file)) rmSync(file)
  }
  return folder
}

/** Returns the differences between the copies `a` and `b`, which the file must have. */
function readDiff(root, diffFile) {
  const style = ['--no-index', '--no-prefix', '--no-renames', '--no-color', '--no-ext-diff', '-U3']
  // Git exits with 1 if there are differences.
  const options = { cwd: root, encoding: 'utf8' }
  const { stdout } = spawnSync('git', ['diff', ...style, 'a', 'b'], options)
  const diff = stdout.replaceAll(/^index .*\n/gm, '')
  if (isUpdate) writeFileSync(diffFile, diff)
  else if (diff !== readFileSync(diffFile, 'utf8')) {
    throw new Error(`${diffFile} is out of date; run this script with --update`)
  }
  return diff
}

function countAdded(diff) {
  return diff.split('\n').filter((line) => /^\+(?!\+\+ )\s*\S/.test(line)).length
}

function mentionsTonplug(file) {
  return /tonplug|webhook/i.test(readFileSync(file, 'utf8'))
}

function run(command, cwd) {
  execFileSync(process.execPath, command, { cwd, stdio: 'inherit' })
}
