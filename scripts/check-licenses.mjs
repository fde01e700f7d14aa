// Fails if a runtime dependency of a package has a licence that is not permissive.
// Reads the output of `pnpm licenses list --json` from standard input.
import { readFileSync } from 'node:fs'

const ALLOWED = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
]
const EXCEPTIONS = [
  // Declares no licence. A part of ton-assembly (MIT), by the same authors; @ton/sandbox depends on it.
  '@tonstudio/parser-runtime',
  // Data of Jest, an optional peer of @ton/sandbox. Users of the simulator do not get it.
  'caniuse-lite',
]

const packagesByLicense = JSON.parse(readFileSync(0, 'utf8'))
for (const [license, packages] of Object.entries(packagesByLicense)) {
  const names = packages.map(({ name }) => name).filter((name) => !EXCEPTIONS.includes(name))
  if (ALLOWED.includes(license) || names.length === 0) continue
  console.error(`${license}: ${names.join(', ')}`)
  process.exitCode = 1
}
