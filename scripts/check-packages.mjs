// Packs every package and checks its manifest and files. `publint`, `attw` and `size-limit` check entries, types and sizes.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { packAll, readJson } from './pack.mjs'

const SITE = 'https://github.com/tonplug/tonplug'
const MAX_README_LINES = 79
const REQUIRED_FILES = ['README.md', 'LICENSE']
const ALLOWED_FILES =
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/cjs\/package\.json|dist\/(esm|cjs)\/.*(\.js|\.d\.ts)|dist\/(ui|page)\/(index\.html|assets\/[\w.-]+\.(js|css|svg|json)))$/
const TEST_FILES = /\.test(-d)?\.|(^|\/)(test|fixtures)\//

const [released] = readJson('.changeset/config.json').fixed
const root = mkdtempSync(join(tmpdir(), 'tonplug-packages-'))
try {
  const packages = packAll(root)
  for (const one of packages) {
    const problems = [...manifestProblems(one), ...fileProblems(one)]
    for (const problem of problems) console.error(`${one.name}: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  }
  console.log(`${packages.length} packages checked`)
} finally {
  rmSync(root, { recursive: true, force: true })
}

function manifestProblems({ name, folder, unpacked }) {
  const manifest = readJson(join(unpacked, 'package.json'))
  const expectations = {
    'changeset.config.json must list the package in "fixed"': released.includes(name),
    'description must have at least 30 characters': manifest.description?.length >= 30,
    'keywords must contain "ton" and "payments"': ['ton', 'payments'].every((word) =>
      manifest.keywords?.includes(word),
    ),
    'license must be MIT': manifest.license === 'MIT',
    'author is missing': Boolean(manifest.author),
    'homepage must be the README': manifest.homepage === `${SITE}/tree/main/${folder}#readme`,
    'bugs must be the issue tracker': manifest.bugs === `${SITE}/issues`,
    'repository must be the folder of the package':
      manifest.repository?.url === `git+${SITE}.git` && manifest.repository.directory === folder,
    'engines.node must be ^20.19.0 || >=22.12.0':
      manifest.engines?.node === '^20.19.0 || >=22.12.0',
    'type must be "module"': manifest.type === 'module',
    'sideEffects is missing': manifest.sideEffects !== undefined,
    'exports must contain ./package.json': manifest.exports?.['./package.json'] !== undefined,
    'private must not be set': manifest.private === undefined,
    'the published manifest contains a workspace protocol': !/"(workspace|catalog|link|file):/.test(
      JSON.stringify(manifest),
    ),
  }
  return Object.keys(expectations).filter((problem) => !expectations[problem])
}

function fileProblems({ folder, unpacked }) {
  const { files } = readJson(join(folder, 'package.json'))
  const extras = files.filter((entry) => !entry.startsWith('dist/'))
  const isExtra = (file) => extras.some((extra) => file === extra || file.startsWith(`${extra}/`))
  const packed = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(unpacked, join(entry.parentPath, entry.name)))
  const readme = readFileSync(join(unpacked, 'README.md'), 'utf8').trimEnd().split('\n')
  return [
    ...REQUIRED_FILES.filter((file) => !packed.includes(file)).map((file) => `lacks ${file}`),
    ...packed
      .filter((file) => (!ALLOWED_FILES.test(file) && !isExtra(file)) || TEST_FILES.test(file))
      .map((file) => `must not publish ${file}`),
    ...(readme.length > MAX_README_LINES ? [`README.md has ${readme.length} lines`] : []),
  ]
}
