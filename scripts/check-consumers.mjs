// Packs every package, installs the archives outside the workspace as a stranger would, and lets each
// kind of project take a signed webhook through @tonplug/express on a listening server.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const jest = '../node_modules/jest/bin/jest.js'
const tsc = '../node_modules/typescript/bin/tsc'
const projects = [
  { name: 'ESM', source: 'esm', type: 'module', commands: [['main.js']] },
  { name: 'CommonJS', source: 'cjs', type: 'commonjs', commands: [['main.js']] },
  { name: 'Jest, CommonJS', source: 'jest', type: 'commonjs', commands: [[jest]] },
  {
    name: 'TypeScript nodenext, ESM',
    source: 'typescript',
    type: 'module',
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
  {
    name: 'TypeScript nodenext, CommonJS',
    source: 'typescript',
    type: 'commonjs',
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
]

const root = mkdtempSync(join(tmpdir(), 'tonplug-consumers-'))
try {
  install()
  projects.forEach(runProject)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

function install() {
  run(
    'pnpm',
    ['--reporter=silent', '-r', '--filter', './packages/*', 'pack', '--pack-destination', root],
    '.',
  )
  const archives = readdirSync(root).map((name) => `./${name}`)
  writeFileSync(join(root, 'package.json'), '{ "private": true }')
  const others = ['express@5', 'jest@30', '@types/express@5', '@types/node@24', typescriptVersion()]
  run('npm', ['install', '--no-audit', '--no-fund', ...archives, ...others], root)
}

function typescriptVersion() {
  const { version } = JSON.parse(readFileSync('node_modules/typescript/package.json', 'utf8'))
  return `typescript@${version}`
}

function runProject({ name, source, type, commands }, index) {
  const folder = join(root, `project-${index}`)
  cpSync(join('scripts/consumers', source), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
  for (const command of commands) run(process.execPath, command, folder)
  console.log(`ok: ${name}`)
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}
