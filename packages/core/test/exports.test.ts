import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const ENTRIES = [
  'index',
  'operator',
  'toncenter',
  'proof',
  'liteserver',
  'checkout',
  'contract',
  'telegram',
  'opentelemetry',
  'bridge',
  'redis',
]

/** Returns the names of values and types that the published declarations of an entry export. */
function exportedNames(entry: string): string[] {
  const text = readFileSync(new URL(`../dist/cjs/${entry}.d.ts`, import.meta.url), 'utf8')
  const declared = text.matchAll(/^export (?:declare )?(?:abstract )?(?!type \{)\w+ (\w+)/gm)
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
  return [...listed, ...[...declared].map(([, name = '']) => name)]
    .filter((name) => name !== '')
    .toSorted()
}

it.each(ENTRIES)('exports the listed names from %s.ts', async (entry) => {
  // An overload repeats its name.
  const names = [...new Set(exportedNames(entry))]
  await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(`exports/${entry}.txt`)
})
