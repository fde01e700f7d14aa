// Publishes nothing, and looks at what that would print.
import { spawnSync } from 'node:child_process'

// With --force nobody is asked what is published already, and where the registry is nobody listens.
const PUBLISH = [
  ...['-r', '--filter', './packages/*', 'publish', '--dry-run', '--no-git-checks', '--force'],
  ...['--registry', 'http://127.0.0.1:9/'],
]
const ESCAPES = /\u001B\[[\d;]*[A-Za-z]/g

/** @returns a sentence for each line that `pnpm publish` must not print, and each package that it does not publish. */
export function publishingProblems(names) {
  const { status, stdout, stderr } = spawnSync('pnpm', PUBLISH, { encoding: 'utf8' })
  if (status !== 0) return [`pnpm publish --dry-run failed:\n${stdout}${stderr}`]
  const lines = `${stdout}\n${stderr}`
    .replaceAll(ESCAPES, '')
    .split('\n')
    .map((line) => line.trim())
  const isDone = (name) =>
    lines.some((line) => line.includes(`Skip publishing ${name}@`) && line.endsWith('(dry run)'))
  const warnings = lines.filter((line) => /warn|error/i.test(line) && !line.endsWith('(dry run)'))
  return [
    ...names.filter((name) => !isDone(name)).map((name) => `${name}: pnpm publish passes it by`),
    ...warnings.map((line) => `pnpm publish warns: ${line}`),
  ]
}
