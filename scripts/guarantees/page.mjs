// Writes the page of the guarantees, as Markdown, not yet formatted: the promises in words, and each scenario with
// its tests.
import { dirname, relative } from 'node:path'
import { slugOf } from '../slug.mjs'

const INTRODUCTION = `<!-- Made by scripts/generate-guarantees.mjs from scripts/guarantees/scenarios.json and the titles of the tests. -->

# Guarantees

What tonplug promises, and the tests that hold it to that. A breach of a promise is a bug, and where money is at stake [a vulnerability](../../SECURITY.md). What the descriptions of the gateway leave open is among the [assumptions](../assumptions.md).

The scenarios are what a receiver of payments meets in production. Every number is in the titles of its tests, so \`npx pnpm@12 exec vitest run -t S38\` runs those of one. A scenario without a test fails the build. The conformance suites of \`@tonplug/testing\` hold tests too: they run against every adapter here, and against yours.`

/** @param tests `[{ file, title, line, numbers }]` */
export function guaranteesPage(path, { promises, groups }, tests) {
  const scenarios = groups.flatMap((group) => group.scenarios)
  const context = { folder: dirname(path), scenarios, tests }
  return [
    INTRODUCTION,
    '## Promises',
    promises.map((promise, index) => promiseItem(index + 1, promise, scenarios)).join('\n'),
    ...groups.flatMap((group) => groupSection(group, context)),
  ].join('\n\n')
}

function promiseItem(position, { promise, scenarios: numbers }, scenarios) {
  const links = numbers.map((number) => {
    const scenario = scenarios.find((candidate) => candidate.number === number)
    return `[S${number}](#${slugOf(headingOf(scenario))})`
  })
  return `${position}. ${promise} ${links.join(' ')}`
}

function groupSection({ title, scenarios }, context) {
  return [`## ${title}`, ...scenarios.flatMap((scenario) => scenarioSection(scenario, context))]
}

function scenarioSection(scenario, { folder, tests }) {
  const own = tests.filter(({ numbers }) => numbers.includes(scenario.number))
  return [
    `### ${headingOf(scenario)}`,
    `→ ${scenario.outcome}`,
    own.map((test) => `- ${linkTo(test, folder)}`).join('\n'),
  ]
}

function headingOf({ number, situation }) {
  return `S${number} ${situation}`
}

function linkTo({ file, title, line }, folder) {
  const [root, name] = file.split('/')
  const place = root === 'packages' ? name : `${root}/${name}`
  const words = title.replaceAll(/\s+/g, ' ').replaceAll('`', "'")
  return `${place}: [\`${words}\`](${relative(folder, file)}#L${line})`
}
