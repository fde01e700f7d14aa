import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')
const suites = readdirSync(new URL('suites', import.meta.url)).map((file) => `suites/${file}`)

it('finds each module of core that a suite loads', () => {
  const loaded = ['contenders.mjs', ...suites]
    .flatMap((file) => read(file).match(/loadCore\([^)]*\)/g) ?? [])
    .flatMap((call) => call.match(/[\w/-]+\.ts/g) ?? [])
  expect(loaded.length).toBeGreaterThan(3)
  const isMissing = (file) =>
    !existsSync(new URL(`../../packages/core/src/${file}`, import.meta.url))
  expect(loaded.filter(isMissing)).toEqual([])
})
