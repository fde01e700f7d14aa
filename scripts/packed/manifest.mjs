// What the package.json of a packed package has to say.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readJson } from './archives.mjs'

const SITE = 'https://github.com/tonplug/tonplug'
const ENGINES = '^20.19.0 || >=22.12.0'

/** @returns a sentence for each thing that is wrong in the manifest of a package of `packAll`. */
export function manifestProblems({ name, folder, unpacked }) {
  const manifest = readJson(join(unpacked, 'package.json'))
  const text = JSON.stringify(manifest)
  const expectations = {
    'description is too short': manifest.description?.length >= 30,
    'keywords lack "ton" and "payments"': ['ton', 'payments'].every((word) =>
      manifest.keywords?.includes(word),
    ),
    'license is not MIT': manifest.license === 'MIT',
    'author is missing': Boolean(manifest.author),
    'homepage is not its README': manifest.homepage === `${SITE}/tree/main/${folder}#readme`,
    'bugs is not the list of issues': manifest.bugs === `${SITE}/issues`,
    'repository is not its folder':
      manifest.repository?.url === `git+${SITE}.git` && manifest.repository.directory === folder,
    [`engines.node is not ${ENGINES}`]: manifest.engines?.node === ENGINES,
    'type is not "module"': manifest.type === 'module',
    'sideEffects is missing': manifest.sideEffects !== undefined,
    'exports lacks ./package.json': manifest.exports?.['./package.json'] !== undefined,
    'private is set': manifest.private === undefined,
    'a protocol of the workspace is left': !/"(?:workspace|catalog|link|file):/.test(text),
  }
  return [
    ...Object.entries(expectations)
      .filter(([, isMet]) => !isMet)
      .map(([problem]) => problem),
    ...missingFiles(manifest, unpacked),
    ...entriesWithoutTypes(manifest),
  ].map((problem) => `${name}: ${problem}`)
}

/** Every path of `exports`, `main`, `types`, `bin` and `sideEffects` has to be in the archive. */
function missingFiles({ exports, main, types, bin, sideEffects }, unpacked) {
  const paths = [...leavesOf({ exports, main, types, bin, sideEffects })].filter(
    (leaf) => typeof leaf === 'string',
  )
  const programs = Object.values(bin ?? {})
  return [
    ...paths.filter((path) => !existsSync(join(unpacked, path))).map((path) => `lacks ${path}`),
    ...programs
      .filter(
        (path) => !readFileSync(join(unpacked, path), 'utf8').startsWith('#!/usr/bin/env node'),
      )
      .map((path) => `${path} does not begin as a program of Node`),
  ]
}

function entriesWithoutTypes({ exports }) {
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .flatMap(([entry, formats]) =>
      ['import', 'require']
        .filter((format) => Object.keys(formats[format] ?? {})[0] !== 'types')
        .map((format) => `exports["${entry}"].${format} does not begin with its types`),
    )
}

/**
 * What `npm publish` would correct with a warning in the manifests of all packages of `packAll`, which lie below `root`.
 * They are corrected there.
 */
export function npmCorrections(packages, root) {
  const manifests = () =>
    packages.map(({ unpacked }) => JSON.stringify(readJson(join(unpacked, 'package.json'))))
  const before = manifests()
  const workspaces = packages.map(({ unpacked }) => relative(root, unpacked))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true, workspaces }))
  const fix = ['pkg', 'fix', '--workspaces']
  const { status, stderr } = spawnSync('npm', fix, { cwd: root, encoding: 'utf8' })
  if (status !== 0) return [`npm pkg fix failed: ${stderr}`]
  const after = manifests()
  return packages.flatMap(({ name }, index) =>
    before[index] === after[index]
      ? []
      : [`${name}: npm corrects package.json; run npm pkg fix in its folder`],
  )
}

function* leavesOf(value) {
  if (typeof value !== 'object' || value === null) yield value
  else for (const member of Object.values(value)) yield* leavesOf(member)
}
