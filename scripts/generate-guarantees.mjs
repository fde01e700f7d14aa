// Writes docs/reference/guarantees.md: the promises, and for each scenario links to the tests whose titles carry its
// number. With --check it compares instead. Either way it fails when a scenario has no test, or a test the number of
// no scenario.
import { readFileSync } from 'node:fs'
import { filesBelow } from './files.mjs'
import { prettify, writePages } from './generated-pages.mjs'
import { guaranteesPage } from './guarantees/page.mjs'
import { readTitles } from './guarantees/titles.mjs'

const PAGE = 'docs/reference/guarantees.md'

const catalogue = JSON.parse(readFileSync('scripts/guarantees/scenarios.json', 'utf8'))
const known = catalogue.groups.flatMap(({ scenarios }) => scenarios.map(({ number }) => number))
const tests = testFiles().flatMap((file) => readTitles(file).map((test) => ({ file, ...test })))
const tested = new Set(tests.flatMap(({ numbers }) => numbers))

const missing = known.filter((number) => !tested.has(number))
for (const number of missing) console.error(`S${number} has no test`)
const unknown = tests.filter(({ numbers }) => numbers.some((number) => !known.includes(number)))
for (const { file, line, title } of unknown) {
  console.error(`${file}:${line}: no scenario has the number of "${title}"`)
}

const text = await prettify(guaranteesPage(PAGE, catalogue, tests))
writePages(new Map([[PAGE, text]]), {
  isCheck: process.argv.includes('--check'),
  command: 'docs:guarantees',
})
console.log(`${known.length} scenarios, ${tests.length} titles of tests`)
if (missing.length > 0 || unknown.length > 0) process.exitCode = 1

/** Tests, and the conformance suites, which tests run. */
function testFiles() {
  const suites = filesBelow('packages/testing/src/conformance', '.ts')
  const tests = ['packages', 'docs', 'examples'].flatMap((folder) =>
    ['.test.ts', '.e2e-spec.ts'].flatMap((suffix) => filesBelow(folder, suffix)),
  )
  return [...suites, ...tests]
}
