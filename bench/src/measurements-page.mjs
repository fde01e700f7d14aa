import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { drawChart } from './chart.mjs'
import { writeMissed } from './report.mjs'

/** Writes the documentation page, its chart, and the figures as JSON. */
export async function writeMeasurements(folder, { machine, figures }) {
  const write = (name, text) => writeFile(join(folder, name), text)
  await write('measurements.json', `${JSON.stringify({ machine, figures }, null, 2)}\n`)
  await write('measurements.svg', await drawChart(figures, machine))
  const options = { ...(await resolveConfig('.prettierrc.json')), parser: 'markdown' }
  await write('measurements.md', await format(writePage(machine, figures), options))
}

function writePage(machine, figures) {
  return `---
keywords: benchmark speed latency memory throughput second
---

# Measurements

Ratios of tonplug to the libraries that it uses or replaces, measured by \`npx pnpm@12 bench\` in one run on ${machine}. [The method and the suites](../../bench/README.md) are described with the benchmark.

A ratio compares two contenders within one round: the median of the rounds, with the minimum and the maximum. A floor is the required ratio. [All figures as JSON](measurements.json).

![The ratios with their floors](measurements.svg)

${writeMissed(figures)}

C1 to C4 and C7 compare bridges with the shortest correct bridge by hand to the same receiver. K1 and K2 compare with code that makes the same promises: signature and fields checked, delivery stored before its decision, transaction used once, order completed once, a response within a deadline. C6 compares requests to other routes. D1 and D2 compare with \`fetch\` with a signal and the same decoder. E2 compares with a handler that makes the same promises on PostgreSQL.
`
}
