import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'

const FOLDER = new URL('../../.github/workflows/', import.meta.url)
const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(new URL(name, FOLDER), 'utf8'),
}))

/** Returns the YAML of each job. */
function jobsOf(text: string): Map<string, string> {
  const [, ...parts] = text.slice(text.indexOf('\njobs:')).split(/^ {2}(?=\w+:$)/m)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(':')), part]))
}

it.each(workflows)('pins each action of $name by the hash of a commit', ({ text }) => {
  const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action)
  expect(used.length).toBeGreaterThan(0)
  for (const action of used) expect(action).toMatch(/^(?:\.\/|[\w/-]+@[0-9a-f]{40} # v\d)/)
})

it.each(workflows)('gives no job of $name more rights than it names', ({ text }) => {
  expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m)
  expect(text).not.toMatch(/write-all|pull_request_target/)
})

it('runs each part of .ci/run in a job with a name', () => {
  const { status, stderr } = spawnSync('bash', ['.ci/run', 'unknown'], { encoding: 'utf8' })
  const [, known = ''] = /known parts: (.+)/.exec(stderr) ?? []
  expect({ status, count: known.split(' ').length }).toEqual({ status: 2, count: 16 })

  const jobs = workflows
    .filter(({ name }) => ['ci.yml', 'nightly.yml'].includes(name))
    .map(({ text }) => jobsOf(text).get('parts') ?? '')
    .join('')
  const run = [...jobs.matchAll(/- \{ name: .+, parts?: ([a-z ]+)/g)].map(([, parts = '']) => parts)
  // The nightly workflow runs one part for each of several folders.
  expect(new Set(run.join(' ').trim().split(/ +/))).toEqual(new Set(known.trim().split(' ')))
})

it('installs nothing in the job that may publish to npm, and publishes in no other', () => {
  const jobs = jobsOf(workflows.find(({ name }) => name === 'release.yml')?.text ?? '')
  const publishing = [...jobs].filter(([, text]) => text.includes('id-token: write'))
  expect(publishing.map(([name]) => name)).toEqual(['publish'])
  expect(jobs.get('publish')).not.toMatch(
    /contents: write|checkout|\*install|pnpm|npx|npm (?:ci|i)/,
  )
  const others = [...jobs].filter(([name]) => name !== 'publish')
  for (const [, text] of others) expect(text).not.toMatch(/npm publish|changeset publish/)
})

it('compares two clean builds before the packages are published', () => {
  const jobs = jobsOf(workflows.find(({ name }) => name === 'release.yml')?.text ?? '')
  expect(jobs.get('pack')).toContain('run check:reproducible')
  expect(jobs.get('publish')).toContain('needs: pack')
})

it('analyzes the code on each change, and proposes updates of dependencies and actions', () => {
  const analysis = workflows.find(({ name }) => name === 'codeql.yml')?.text ?? ''
  expect(analysis).toMatch(/^ {2}pull_request:$/m)
  expect(analysis).toContain('uses: github/codeql-action/analyze@')

  const updates = readFileSync(new URL('../dependabot.yml', FOLDER), 'utf8')
  const ecosystems = [...updates.matchAll(/package-ecosystem: (.+)/g)].map(([, name]) => name)
  expect(ecosystems).toEqual(['npm', 'github-actions'])
})

it('contains no program that the repository does not build', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  // Windows, Linux and macOS programs, WebAssembly, and Java classes and archives.
  const programs = /^(?:4d5a|7f454c46|cafebabe|cffaedfe|cefaedfe|0061736d|504b0304)/
  const found = files.filter((file) => file !== '' && programs.test(firstBytes(file)))
  expect(found).toEqual([])
})

/** Returns the first four bytes of a file in hex; nothing for a link to a folder. */
function firstBytes(file: string): string {
  return statSync(file).isFile() ? readFileSync(file).subarray(0, 4).toString('hex') : ''
}
