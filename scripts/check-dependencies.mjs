// Reviews what is installed with each published package: licences, install scripts, a reason for each direct
// dependency, and what the registry knows of. Fails when something is wrong, or when docs/reference/dependencies.md is
// not what it makes; --write writes the page.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { closureOf, readManifest } from './dependencies/closure.mjs'
import { dependenciesPage, sizeText } from './dependencies/page.mjs'
import { packageFolders } from './files.mjs'
import { prettify, writePages } from './generated-pages.mjs'

const PAGE = 'docs/reference/dependencies.md'
const LICENCES = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']

const allReasons = JSON.parse(readFileSync('scripts/dependencies/reasons.json', 'utf8'))
const packages = packageFolders('packages').map(readPackage)

const problems = packages.flatMap(problemsOf)
for (const problem of problems) console.error(problem)
for (const { manifest, closure } of packages) {
  const bytes = closure.reduce((sum, dependency) => sum + dependency.bytes, 0)
  console.log(`${manifest.name}: ${closure.length} packages, ${sizeText(bytes)}`)
}
const text = await prettify(dependenciesPage(packages, LICENCES))
writePages(new Map([[PAGE, text]]), {
  isCheck: !process.argv.includes('--write'),
  command: 'docs:dependencies',
})
if (problems.length > 0 || hasKnownProblems()) process.exitCode = 1

function readPackage(folder) {
  const manifest = readManifest(folder)
  const closure = closureOf(folder).filter(({ name }) => !(name in allReasons))
  return { manifest, closure, reasons: allReasons[manifest.name] ?? {} }
}

function problemsOf({ manifest, reasons, closure }) {
  const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  const complain = (text) => `${manifest.name}: ${text}`
  return [
    ...direct
      .filter((name) => !(name in reasons))
      .map((name) => complain(`scripts/dependencies/reasons.json has no reason for ${name}`)),
    ...Object.keys(reasons)
      .filter((name) => !direct.includes(name))
      .map((name) => complain(`scripts/dependencies/reasons.json names ${name}, which it lacks`)),
    ...closure
      .filter(({ license }) => !LICENCES.includes(license))
      .map(({ name, license }) => complain(`the licence of ${name} is ${license}`)),
    ...closure
      .filter(({ scripts }) => scripts.length > 0)
      .map(({ name, scripts }) => complain(`${name} runs ${scripts.join(', ')} when installed`)),
  ]
}

/** Asks the registry. Not every registry answers this question; then nothing is known. */
function hasKnownProblems() {
  const { status, error, stdout, stderr } = spawnSync(
    'pnpm',
    ['audit', '--prod', '--audit-level', 'high'],
    { encoding: 'utf8' },
  )
  if (status === 0) {
    console.log('The registry knows of no problem of high severity')
    return false
  }
  if (error !== undefined || /ERR_PNPM_/.test(stdout + stderr)) {
    const reason = error?.message ?? 'the registry does not answer pnpm audit'
    console.log(`Known problems were not looked up: ${reason}`)
    return false
  }
  console.error(stdout + stderr)
  return true
}
