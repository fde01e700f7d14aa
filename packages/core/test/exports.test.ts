import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The most names of each entry. */
const LIMITS = { index: 93, toncenter: 110, contract: 15, opentelemetry: 5, validators: 10 }

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

it.each(Object.entries(LIMITS))('exports the listed names from %s.ts', async (entry, limit) => {
  const names = exportedNames(entry)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeLessThanOrEqual(limit)
  await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(`exports/${entry}.txt`)
})
