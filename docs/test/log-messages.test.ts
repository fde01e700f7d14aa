import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['bullmq', 'core', 'express', 'nestjs', 'postgres']

/** The messages of the page; one that ends in `…` is a beginning. */
const documented = [
  ...readFileSync(join(ROOT, 'docs/reference/log-messages.md'), 'utf8').matchAll(
    /^\|[^|]*\|([^|]*)\|/gm,
  ),
]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  .map(([, message = '']) => message.replace(/(?:…|<kind>)$/, ''))

const sources = PACKAGES.flatMap((name) => sourcesBelow(join(ROOT, 'packages', name, 'src')))

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
}

it('lists every message that the code writes to a logger', () => {
  const written = sources.flatMap((source) =>
    [...source.matchAll(/logger(?:\.\w+|\[level\])\(\s*(['`])(.*?)(?:\1|\$\{)/g)].map(
      ([, , message = '']) => message,
    ),
  )
  expect(written.length).toBeGreaterThan(40)
  const isListed = (message: string): boolean =>
    documented.some((listed) => message.startsWith(listed))
  expect(written.filter((message) => !isListed(message))).toEqual([])
})

it('lists no message that the code does not have', () => {
  const hasMessage = (message: string): boolean =>
    sources.some((source) => source.includes(message))
  expect(documented.length).toBeGreaterThan(50)
  expect(documented.filter((message) => !hasMessage(message))).toEqual([])
})
