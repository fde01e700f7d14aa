// Packs every package, installs the archives outside the workspace, and runs the projects of consumers/installations.mjs
// with them: servers that receive signed webhooks, store them, and find payments on a simulated chain. `--short` leaves out
// installations that are marked as `nightly`.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installations } from './consumers/installations.mjs'
import { packAll } from './pack.mjs'

const MAX_OUTPUT_BYTES = 100_000_000
/** A process that never ends fails its project. */
const TIMEOUT_MS = 600_000
// Packages are downloaded once for all installations; none of them needs its install scripts.
const NPM_INSTALL = [
  'install',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--prefer-offline',
  '--ignore-scripts',
]

const root = mkdtempSync(join(tmpdir(), 'tonplug-consumers-'))
try {
  const archives = new Map(
    packAll(join(root, 'archives')).map(({ name, archive }) => [name, archive]),
  )
  const isShort = process.argv.includes('--short')
  const waiting = [...installations.entries()].filter(([, { nightly }]) => !isShort || !nightly)
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await useInstallation(...next, archives)
    }
  })
  await Promise.all(lanes)
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Never rejects: reports failures, and runs the other projects. */
async function useInstallation(index, { tonplug, others, projects }, archives) {
  const folder = join(root, `installation-${index}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const packed = tonplug.map((name) => archives.get(name))
  const isInstalled = await succeeds(`Installation ${index}`, async () =>
    run('npm', [...NPM_INSTALL, ...packed, ...others], folder),
  )
  if (!isInstalled) return
  for (const [number, project] of projects.entries()) {
    const own = join(folder, `project-${number}`)
    await succeeds(project.name, () => runProject(project, folder, own))
  }
}

async function runProject({ source, type, commands, files = {} }, installed, folder) {
  cpSync(join('scripts/consumers', source), folder, { recursive: true })
  for (const [to, from] of Object.entries(files)) cpSync(from, join(folder, to))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
  let output = ''
  for (const [script, ...args] of commands) {
    const path = script.startsWith('node_modules') ? join(installed, script) : script
    const isProgram = script.startsWith('node_modules/.bin')
    output += isProgram
      ? await run(path, args, folder)
      : await run(process.execPath, [path, ...args], folder)
  }
  return output
}

/** Prints the duration of `work` and the steps that it skipped, or its error. */
async function succeeds(name, work) {
  const startMs = performance.now()
  const seconds = () => `${((performance.now() - startMs) / 1000).toFixed(1)} s`
  try {
    const output = await work()
    console.log(
      [`ok: ${name} (${seconds()})`, ...(output.match(/^skipped: .*$/gm) ?? [])].join('\n'),
    )
    return true
  } catch (error) {
    console.error(`failed: ${name} (${seconds()})\n${error.message}\n${error.stdout}`)
    process.exitCode = 1
    return false
  }
}

async function run(command, args, cwd) {
  const options = { cwd, maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}
