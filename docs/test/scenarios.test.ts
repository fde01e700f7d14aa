import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/reference/scenarios.md', 'utf8')
const scenarios = [...page.matchAll(/^- \*\*(S\d+)\*\* /gm)].map(([, number = '']) => number)
const tests = globSync([
  '{packages,examples,docs}/**/*.{test,e2e-spec}.ts',
  'packages/testing/src/conformance/*.ts',
]).filter((file) => !/node_modules|dist/.test(file))
// Titles and rows of tables of tests start with the numbers of their scenarios.
const tested = tests.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/['"`](S\d+\b[^'"`\n]*)/g)].flatMap(
    ([, title = '']) => title.match(/\bS\d+\b/g) ?? [],
  ),
)

it('has a test for every scenario of the list', () => {
  expect(scenarios.length).toBeGreaterThan(90)
  expect(scenarios.filter((number) => !tested.includes(number))).toEqual([])
})

it('has a scenario for every number in the title of a test', () => {
  expect([...new Set(tested)].filter((number) => !scenarios.includes(number))).toEqual([])
})
