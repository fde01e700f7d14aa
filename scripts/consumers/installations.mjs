// Lists the installations outside the workspace and the projects that use each of them. A project is a folder beside this
// file, with copies of `files`; `type` is the type of its package.json. A command is a script for Node or a program of
// `.bin`, with arguments. An installation with `nightly` differs from others only by older packages.
import { readJson } from '../pack.mjs'

const jest = 'node_modules/jest/bin/jest.js'
const vitest = 'node_modules/vitest/vitest.mjs'
const deno = [
  'node_modules/.bin/deno',
  'run',
  '--allow-all',
  '--no-lock',
  '--node-modules-dir=manual',
]
const tsc = 'node_modules/typescript/bin/tsc'
const typescript = `typescript@${versionOf('typescript')}`
// Optional peers; only one of the installations with Nest has them.
const ton = ['@ton/core@0.63', '@ton/crypto@3']
const withoutNest = ['bullmq', 'core', 'desk', 'express', 'postgres', 'testing'].map(scoped)
const withNest = ['core', 'nestjs', 'testing'].map(scoped)
const withFastify = ['core', 'fastify', 'testing'].map(scoped)
const nest = (major) => [
  `@nestjs/common@${major}`,
  `@nestjs/core@${major}`,
  `@nestjs/platform-express@${major}`,
  `@nestjs/testing@${major}`,
  'reflect-metadata@0.2',
  'rxjs@7',
  '@types/node@24',
]
const oldestNest = [
  ...['common', 'core', 'platform-express', 'testing'].map((name) => `@nestjs/${name}@10.4.0`),
  'reflect-metadata@0.1.13',
  'rxjs@7.8.0',
  '@types/node@24',
]
const database = ['@electric-sql/pglite@0.5', 'pg@8', '@types/pg@8']
const tsJest = ['jest@30', 'ts-jest@29', 'typescript@5']
const runTypeScript = [
  [tsc, '-p', '.'],
  ['main.js'],
  ['postgres.js'],
  ['postgres.js', '--restarted'],
  ['bullmq.js'],
]

/** The slowest installations come first. */
export const installations = [
  {
    tonplug: [...withoutNest, scoped('simulator')],
    others: [
      ...ton,
      '@opentelemetry/api@1.9',
      '@opentelemetry/sdk-metrics@2',
      '@electric-sql/pglite@0.5',
      'bullmq@6',
      'bun@1',
      'deno@2',
      'ioredis@5',
      'express@5',
      'jest@30',
      '@types/express@5',
      '@types/node@24',
      typescript,
    ],
    projects: [
      { name: 'ESM', source: 'esm', type: 'module', commands: [['main.js']] },
      { name: 'CommonJS', source: 'cjs', type: 'commonjs', commands: [['main.js']] },
      { name: 'Jest, CommonJS', source: 'jest', type: 'commonjs', commands: [[jest]] },
      {
        name: 'ESM on Bun',
        source: 'esm',
        type: 'module',
        // The install script of Bun, which npm did not run, installs the program.
        commands: [['node_modules/bun/install.js'], ['node_modules/.bin/bun', 'main.js']],
      },
      {
        name: 'ESM on Deno',
        source: 'esm',
        type: 'module',
        commands: [[...deno, 'main.js']],
      },
      ...inBothFormats('TypeScript nodenext', 'typescript', runTypeScript),
      ...inBothFormats('The simulated chain', 'simulator', [[tsc, '-p', '.'], ['main.js']]),
    ],
  },
  {
    tonplug: [...withNest, scoped('postgres'), scoped('simulator'), 'tonplug'],
    others: [
      ...nest(11),
      ...ton,
      ...tsJest,
      ...database,
      '@types/jest@30',
      // The current compiler, beside the version that ts-jest supports.
      `typescript-now@npm:${typescript}`,
    ],
    projects: [
      {
        name: 'Nest 11, CommonJS, Jest',
        source: 'nest',
        type: 'commonjs',
        commands: [[tsc, '-p', '.'], [jest]],
      },
      {
        name: 'Nest 11 with the simulator, CommonJS, Jest',
        source: 'nest-simulator',
        type: 'commonjs',
        commands: [[tsc, '-p', '.'], [jest]],
      },
      ...inBothFormats('Nest 11 with @ton/core and no test framework', 'nest-plain', [
        ['node_modules/typescript-now/bin/tsc', '-p', '.'],
        ['contract.js'],
        ['webhook.js'],
      ]),
      {
        name: 'tonplug init in Nest',
        source: 'init',
        type: 'module',
        commands: [['main.js', 'nest']],
      },
    ],
  },
  {
    nightly: true,
    tonplug: withNest,
    others: [...oldestNest, ...tsJest],
    projects: [
      {
        name: 'Nest 10 with the oldest peers, CommonJS, Jest',
        source: 'nest',
        type: 'commonjs',
        commands: [[tsc, '-p', '.'], [jest]],
      },
    ],
  },
  {
    tonplug: withNest,
    others: [...nest(12), `vitest@${versionOf('vitest')}`, typescript],
    projects: [
      {
        name: 'Nest 12, ESM, Vitest',
        source: 'nest',
        type: 'module',
        commands: [
          [tsc, '-p', '.'],
          [vitest, 'run'],
        ],
      },
    ],
  },
  // The oldest compiler that can read the declarations of zod and Node. It cannot read the declarations of OpenTelemetry.
  {
    nightly: true,
    tonplug: withoutNest,
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
    projects: [
      {
        name: 'TypeScript 5.4, ESM',
        source: 'typescript',
        type: 'module',
        commands: runTypeScript,
      },
    ],
  },
  // The oldest supported version of each peer.
  {
    tonplug: withoutNest,
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
    projects: [
      {
        name: 'ESM with the oldest peers',
        source: 'esm',
        type: 'module',
        commands: [['main.js']],
      },
    ],
  },
  {
    tonplug: ['core', 'testing'].map(scoped),
    others: [
      'next@16',
      'react@19',
      'react-dom@19',
      '@types/react@19',
      '@types/node@24',
      typescript,
    ],
    projects: [
      {
        name: 'Next.js',
        source: 'next',
        type: 'module',
        files: { 'app/webhooks/ton/route.ts': 'docs/frameworks/next.ts' },
        commands: [['main.js']],
      },
    ],
  },
  {
    tonplug: ['core', 'testing'].map(scoped),
    others: ['esbuild@0.28', 'miniflare@4'],
    projects: [
      {
        name: 'Cloudflare Workers',
        source: 'worker',
        type: 'module',
        files: { 'worker.ts': 'docs/frameworks/worker.ts' },
        commands: [['main.js']],
      },
    ],
  },
  {
    tonplug: withFastify,
    others: ['fastify@5', '@types/node@24', typescript],
    projects: inBothFormats('Fastify 5', 'fastify', [[tsc, '-p', '.'], ['main.js']]),
  },
  {
    nightly: true,
    tonplug: withFastify,
    others: ['fastify@4.28.0', '@types/node@24', typescript],
    projects: inBothFormats('Fastify 4', 'fastify', [[tsc, '-p', '.'], ['main.js']]),
  },
  {
    tonplug: [...['core', 'express', 'postgres', 'simulator', 'testing'].map(scoped), 'tonplug'],
    others: [
      ...database,
      'express@5',
      '@types/express@5',
      '@types/node@24',
      `vitest@${versionOf('vitest')}`,
      typescript,
    ],
    projects: [
      { name: 'Command line', source: 'command', type: 'module', commands: [['main.js']] },
      {
        name: 'tonplug init in Express',
        source: 'init',
        type: 'module',
        commands: [['main.js', 'express']],
      },
    ],
  },
]

/** The declarations of both formats are the same, so the compiler checks them once. */
function inBothFormats(name, source, [compile, ...others]) {
  const compileOnly = [...compile, '--skipLibCheck']
  return [
    { name: `${name}, ESM`, source, type: 'module', commands: [compile, ...others] },
    { name: `${name}, CommonJS`, source, type: 'commonjs', commands: [compileOnly, ...others] },
  ]
}

function scoped(name) {
  return `@tonplug/${name}`
}

function versionOf(name) {
  return readJson(`node_modules/${name}/package.json`).version
}
