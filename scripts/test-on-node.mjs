// Runs the tests of the packages on the versions of Node other than the pinned one, or on those that are passed:
// `pnpm test:node 22 26`. `--short` runs only what depends on Node, such as servers, streams and cryptography, with one major
// version of Nest on each, and skips Node 22, which lies between two others. Of the newest, it runs only what uses Node's own
// modules, and the Nest module, whose apps are servers of Express and Fastify. The nightly workflow runs everything. Crash
// tests and examples run on the pinned version only.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

// The major version of Nest for each version of Node: oldest with oldest, newest with newest.
const NEST = new Map([
  ['20.19', 'nest-10'],
  ['22', 'nest-11'],
  ['26', 'nest-12'],
])

/** Tests of servers, streams, cryptography and files. */
const SHORTEST = [
  inCore('src'),
  ...['gateway', 'stream', 'transport'].map((folder) => inCore(`test/toncenter/${folder}`)),
  'packages/nestjs/',
  'packages/desk/test/nest/',
  'packages/postgres/test/folder-lock',
  ...['src', 'test/gateway'].map((folder) => `packages/testing/${folder}/`),
]
/** Tests of what depends on Node. Decisions, which are the same on every version, are left out. */
const SHORT = [
  ...SHORTEST,
  ...['liteserver', 'opentelemetry', 'proof', 'telegram'].map((name) => inCore(`test/${name}`)),
  ...['bullmq', 'express', 'fastify'].map((name) => `packages/${name}/`),
  ...['access', 'bundled', 'mounts'].map((name) => `packages/desk/test/${name}`),
  'packages/postgres/test/scenarios',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((version) => !NEST.has(version))
if (unknown.length > 0) {
  console.error(
    `Unknown version ${unknown.join(', ')}. Known versions: ${[...NEST.keys()].join(', ')}`,
  )
  process.exit(2)
}
const versions = values.short ? ['20.19', '26'] : NEST.keys()
for (const version of positionals.length > 0 ? positionals : versions) {
  const projects = values.short
    ? ['packages', NEST.get(version)]
    : ['packages', 'long*', 'fuzz', 'nest-*']
  const selected = projects.flatMap((project) => ['--project', project])
  if (values.short) selected.push(...(version === '26' ? SHORTEST : SHORT))
  console.log(`Node ${version}: ${projects.join(', ')}`)
  runOn(version, ['node_modules/vitest/vitest.mjs', 'run', ...selected], '.')
  if (!values.short) runOn(version, ['node_modules/jest/bin/jest.js'], 'examples/nest-existing-app')
}

function inCore(folder) {
  return `packages/core/${folder}/`
}

function runOn(version, args, cwd) {
  const { status } = spawnSync('npx', ['-y', `node@${version}`, ...args], { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
