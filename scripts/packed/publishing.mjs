// Publishes nothing, and looks at what that would print.
import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

// With --force nobody is asked what is published already, and where the registry is nobody listens.
const PUBLISH = 'publish --dry-run --no-git-checks --force --registry http://127.0.0.1:9/'

/** @returns a sentence for each line that `pnpm publish` must not print, and each package that it does not publish. */
export function publishingProblems(names) {
  const args = ['-r', '--filter', './packages/*', ...PUBLISH.split(' ')]
  const { status, stdout, stderr } = spawnSync('pnpm', args, { encoding: 'utf8' })
  if (status !== 0) return [`pnpm publish --dry-run failed:\n${stdout}${stderr}`]
  const lines = stripVTControlCharacters(`${stdout}\n${stderr}`)
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
