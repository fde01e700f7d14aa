// Writes the page of the dependencies, as Markdown, not yet formatted.
import { table } from '../reference/markdown.mjs'

const INTRODUCTION = `<!-- Made by scripts/check-dependencies.mjs from the manifests of what is installed. -->

# Dependencies

What comes with each package at run time, and why. \`check:dependencies\` fails when a licence is none of LICENCES, when something runs at installation, or when a direct dependency has no reason. It also asks the registry for known problems of high severity, \`pnpm audit --prod\`; a registry that does not answer that is passed over with a line that says so.`

const PEERS = `## Peers

What your project has already: its framework, its driver. An optional one is needed by one entry or function alone.`

const INSTALLED = `## Installed

All of them, with those that they bring themselves. Sizes are of the unpacked files.`

/** @param packages `[{ manifest, reasons, closure }]`, `closure` without packages of the workspace */
export function dependenciesPage(packages, licences) {
  return [
    INTRODUCTION.replace('LICENCES', licences.join(', ')),
    '## Direct',
    table(['Package', 'Dependency', 'For'], packages.flatMap(reasonRows)),
    PEERS,
    table(['Package', 'Peer', 'Versions', ''], packages.flatMap(peerRows)),
    INSTALLED,
    table(['Dependency', 'Version', 'Licence', 'Size', 'With'], installedRows(packages)),
  ].join('\n\n')
}

export function sizeText(bytes) {
  return `${Math.round(bytes / 1000)} kB`
}

function reasonRows({ manifest, reasons }) {
  return Object.entries(reasons).map(([name, reason]) => [
    `\`${manifest.name}\``,
    `\`${name}\``,
    reason,
  ])
}

function peerRows({ manifest }) {
  const optional = manifest.peerDependenciesMeta ?? {}
  return Object.entries(manifest.peerDependencies ?? {}).map(([name, range]) => [
    `\`${manifest.name}\``,
    `\`${name}\``,
    range,
    name in optional ? 'optional' : '',
  ])
}

function installedRows(packages) {
  const installed = new Map(
    packages.flatMap(({ closure }) => closure.map((one) => [`${one.name}@${one.version}`, one])),
  )
  return [...installed.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, version, license, bytes }) => [
      `\`${name}\``,
      version,
      license,
      sizeText(bytes),
      usersOf(name, version, packages),
    ])
}

function usersOf(name, version, packages) {
  const users = packages.filter(({ closure }) =>
    closure.some((one) => one.name === name && one.version === version),
  )
  if (users.length === packages.length) return 'every package'
  return users.map(({ manifest }) => `\`${manifest.name}\``).join(', ')
}
