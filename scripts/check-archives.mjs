// Packs every package and looks at what would be published: manifests, files, sizes, and what `pnpm publish` and npm
// would warn of. Prints the sizes; scripts/packed/limits.json has those that are allowed.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyFileBelow, packAll, readJson } from './packed/archives.mjs'
import { bundledBytes } from './packed/bundles.mjs'
import { contentProblems } from './packed/contents.mjs'
import { manifestProblems, npmCorrections } from './packed/manifest.mjs'
import { publishingProblems } from './packed/publishing.mjs'

const limits = readJson('scripts/packed/limits.json')
const root = mkdtempSync(join(tmpdir(), 'tonplug-archives-'))
try {
  const packages = packAll(root)
  const names = packages.map(({ name }) => name)
  const problems = [
    ...packages.flatMap(contentProblems),
    ...packages.flatMap(checkSizes),
    ...packages.flatMap(manifestProblems),
    ...npmCorrections(packages, root),
    ...(await checkBundles()),
    ...checkVersions(names),
    ...publishingProblems(names),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Prints a row of the table, which begins with the first package. */
function checkSizes({ name, archive, unpacked }, index) {
  if (index === 0) {
    console.log('\n| Package | Packed | Unpacked | Files |\n| --- | ---: | ---: | ---: |')
  }
  const files = everyFileBelow(unpacked)
  const measured = {
    packedBytes: statSync(archive).size,
    unpackedBytes: files.reduce((sum, file) => sum + statSync(join(unpacked, file)).size, 0),
    files: files.length,
  }
  console.log(
    `| ${name} | ${kilobytes(measured.packedBytes)} | ${kilobytes(measured.unpackedBytes)} | ${measured.files} |`,
  )
  const allowed = limits.packages[name]
  if (allowed === undefined) return [`${name}: scripts/packed/limits.json has no limits for it`]
  return Object.entries(measured)
    .filter(([figure, value]) => value > allowed[figure])
    .map(([figure, value]) => `${name}: ${figure} is ${value}, above ${allowed[figure]}`)
}

async function checkBundles() {
  console.log('\n| Bundle for browsers | Minified and compressed |\n| --- | ---: |')
  const problems = []
  for (const { name, code, bytes } of limits.bundles) {
    const measured = await bundledBytes(code)
    console.log(`| ${name} | ${kilobytes(measured)} |`)
    if (measured > bytes)
      problems.push(`the bundle of ${name} has ${measured} bytes, above ${bytes}`)
  }
  console.log()
  return problems
}

/** All packages carry one version, which the configuration of changesets has to say of each. */
function checkVersions(names) {
  const [together] = readJson('.changeset/config.json').fixed
  const apart = names.filter((name) => !together.includes(name))
  return apart.map((name) => `${name}: "fixed" of changeset.config.json does not name it`)
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`
}
