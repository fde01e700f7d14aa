// Packs every package, installs the archives outside the workspace as a stranger would, and lets each
// kind of project take a signed webhook: through @tonplug/express on a listening server, or through
// @tonplug/nestjs in a test of its own.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const jest = 'node_modules/jest/bin/jest.js'
const vitest = 'node_modules/vitest/vitest.mjs'
const tsc = 'node_modules/typescript/bin/tsc'
const typescript = `typescript@${versionOf('typescript')}`
// Peers that are optional; of the projects with Nest those for contracts alone have them.
const ton = ['@ton/core@0.63', '@ton/crypto@3']
// Peers of the simulator, which nothing else of @tonplug/testing needs.
const simulator = [...ton, '@ton/sandbox@0.41', '@ton/ton@16']
// Another one, which TypeScript 5.4 has to do without.
const telemetry = ['@opentelemetry/api@1.9', '@opentelemetry/sdk-metrics@2']
const plain = {
  tonplug: ['bullmq', 'core', 'express', 'postgres', 'testing'],
  others: [
    ...simulator,
    ...telemetry,
    '@electric-sql/pglite@0.5',
    'bullmq@6',
    'ioredis@5',
    'express@5',
    'jest@30',
    '@types/express@5',
    '@types/node@24',
    typescript,
  ],
}
// The oldest compiler that reads the declarations of zod and of Node's types as well.
const oldTypeScript = {
  tonplug: ['bullmq', 'core', 'express', 'postgres', 'testing'],
  others: [
    ...ton,
    '@electric-sql/pglite@0.5',
    'bullmq@6',
    'ioredis@5',
    'express@5',
    '@types/express@5',
    '@types/node@24',
    'typescript@5.4',
  ],
}
// The oldest that the packages allow of each peer.
const oldest = {
  tonplug: ['bullmq', 'core', 'express', 'postgres', 'testing'],
  others: [
    '@ton/core@0.63.0',
    '@ton/crypto@3.3.0',
    '@opentelemetry/api@1.9.0',
    '@opentelemetry/sdk-metrics@2',
    '@electric-sql/pglite@0.5.0',
    'bullmq@6.0.0',
    'ioredis@5',
    'express@4.18.0',
    'pg@8.11.0',
  ],
}
const bun = { ...plain, others: [...plain.others, 'bun@1'] }
const nest = (major) => [
  `@nestjs/common@${major}`,
  `@nestjs/core@${major}`,
  `@nestjs/platform-express@${major}`,
  `@nestjs/terminus@${major}`,
  `@nestjs/testing@${major}`,
  'reflect-metadata@0.2',
  'rxjs@7',
  '@types/node@24',
]
const oldestNest = [
  ...['common', 'core', 'platform-express', 'testing'].map((name) => `@nestjs/${name}@10.4.0`),
  '@nestjs/terminus@10.0.0',
  'reflect-metadata@0.1.13',
  'rxjs@7.8.0',
  '@types/node@24',
]
const nestWithContracts = {
  tonplug: ['core', 'nestjs'],
  others: [...nest(11), ...ton, typescript],
}
// Projects with the same installation share its folder.
const projects = [
  { name: 'ESM', source: 'esm', type: 'module', install: plain, commands: [['main.js']] },
  { name: 'CommonJS', source: 'cjs', type: 'commonjs', install: plain, commands: [['main.js']] },
  {
    name: 'Jest, CommonJS',
    source: 'jest',
    type: 'commonjs',
    install: plain,
    commands: [[jest]],
  },
  {
    name: 'ESM with the oldest peers',
    source: 'esm',
    type: 'module',
    install: oldest,
    commands: [['main.js']],
  },
  {
    name: 'ESM on Bun',
    source: 'esm',
    type: 'module',
    install: bun,
    runtime: 'node_modules/.bin/bun',
    commands: [['main.js']],
  },
  {
    name: 'TypeScript nodenext, ESM',
    source: 'typescript',
    type: 'module',
    install: plain,
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
  {
    name: 'TypeScript nodenext, CommonJS',
    source: 'typescript',
    type: 'commonjs',
    install: plain,
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
  {
    name: 'TypeScript 5.4, ESM',
    source: 'typescript',
    type: 'module',
    install: oldTypeScript,
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
  {
    name: 'Nest 11, CommonJS, Jest',
    source: 'nest',
    type: 'commonjs',
    install: {
      tonplug: ['core', 'nestjs', 'testing'],
      others: [...nest(11), 'jest@30', 'ts-jest@29', 'typescript@5'],
    },
    commands: [[tsc, '-p', '.'], [jest]],
  },
  {
    name: 'Nest 10 with the oldest peers, CommonJS, Jest',
    source: 'nest',
    type: 'commonjs',
    install: {
      tonplug: ['core', 'nestjs', 'testing'],
      others: [...oldestNest, 'jest@30', 'ts-jest@29', 'typescript@5'],
    },
    commands: [[tsc, '-p', '.'], [jest]],
  },
  {
    name: 'Nest 12, ESM, Vitest',
    source: 'nest',
    type: 'module',
    install: {
      tonplug: ['core', 'nestjs', 'testing'],
      others: [...nest(12), `vitest@${versionOf('vitest')}`, typescript],
    },
    commands: [
      [tsc, '-p', '.'],
      [vitest, 'run'],
    ],
  },
  {
    name: 'Nest 11 with the simulator, CommonJS, Jest',
    source: 'nest-simulator',
    type: 'commonjs',
    install: {
      tonplug: ['core', 'nestjs', 'testing'],
      others: [...nest(11), ...simulator, 'jest@30', 'ts-jest@29', 'typescript@5'],
    },
    commands: [[tsc, '-p', '.'], [jest]],
  },
  {
    name: 'Nest 11 with @ton/core, ESM',
    source: 'nest-contract',
    type: 'module',
    install: nestWithContracts,
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
  {
    name: 'Nest 11 with @ton/core, CommonJS',
    source: 'nest-contract',
    type: 'commonjs',
    install: nestWithContracts,
    commands: [[tsc, '-p', '.'], ['main.js']],
  },
  {
    name: 'Command line',
    source: 'command',
    type: 'module',
    install: {
      tonplug: ['core', 'postgres', 'testing', 'tonplug'],
      others: ['@electric-sql/pglite@0.5'],
    },
    commands: [['main.js']],
  },
]

const root = mkdtempSync(join(tmpdir(), 'tonplug-consumers-'))
const folders = new Map()
try {
  const pack = [
    '-r',
    '--filter',
    './packages/*',
    'pack',
    '--pack-destination',
    join(root, 'archives'),
  ]
  run('pnpm', ['--reporter=silent', ...pack], '.')
  projects.forEach(runProject)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

function runProject({ name, source, type, install, runtime, commands }, index) {
  const installed = installOnce(install)
  const folder = join(installed, `project-${index}`)
  cpSync(join('scripts/consumers', source), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
  for (const [script, ...args] of commands) {
    const path = script.startsWith('node_modules') ? join(installed, script) : script
    run(
      runtime === undefined ? process.execPath : join(installed, runtime),
      [path, ...args],
      folder,
    )
  }
  console.log(`ok: ${name}`)
}

function installOnce(install) {
  const known = folders.get(install)
  if (known !== undefined) return known
  const folder = join(root, `installation-${folders.size}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const archives = install.tonplug.map(archiveOf)
  run('npm', ['install', '--no-audit', '--no-fund', ...archives, ...install.others], folder)
  folders.set(install, folder)
  return folder
}

function archiveOf(name) {
  const file = readdirSync(join(root, 'archives')).find((archive) =>
    // The version follows: `tonplug-core-1.0.0.tgz`, and `tonplug-1.0.0.tgz` for the command line.
    /^\d/.test(archive.replace(name === 'tonplug' ? 'tonplug-' : `tonplug-${name}-`, '')),
  )
  return join(root, 'archives', file)
}

function versionOf(name) {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}
