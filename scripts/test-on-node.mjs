// Runs the suites of the packages on other lines of Node than the pinned one: `node scripts/test-on-node.mjs 22 26`, by
// default on all. With `--short` without the long ones, and each line with one major of Nest.
// What kills servers, and the examples, run on the pinned one.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

// The majors of Nest that a line is paired with: oldest with oldest, newest with newest.
const NEST = new Map([
  ['20.19', 'nest-10'],
  ['22', 'nest-11'],
  ['26', 'nest-12'],
])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((version) => !NEST.has(version))
if (unknown.length > 0) {
  console.error(
    `No line is called ${unknown.join(', ')}. These are: ${[...NEST.keys()].join(', ')}`,
  )
  process.exit(2)
}
for (const version of positionals.length > 0 ? positionals : NEST.keys()) {
  const projects = values.short
    ? ['packages', NEST.get(version)]
    : ['packages', 'long', 'fuzz', 'nest-*']
  const selected = projects.flatMap((project) => ['--project', project])
  console.log(`Node ${version}: ${projects.join(', ')}`)
  runOn(version, ['node_modules/vitest/vitest.mjs', 'run', ...selected], '.')
  runOn(version, ['node_modules/jest/bin/jest.js'], 'examples/nest-existing-app')
}

function runOn(version, args, cwd) {
  const { status } = spawnSync('npx', ['-y', `node@${version}`, ...args], { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
