import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { drawChart } from './chart.mjs'
import { writeTable } from './report.mjs'

/** Writes the documentation page, its chart, and the figures as JSON. */
export async function writeMeasurements(folder, { machine, figures }) {
  const write = (name, text) => writeFile(join(folder, name), text)
  await write('measurements.json', `${JSON.stringify({ machine, figures }, null, 2)}\n`)
  await write('measurements.svg', await drawChart(figures, machine))
  const options = { ...(await resolveConfig('.prettierrc.json')), parser: 'markdown' }
  await write('measurements.md', await format(writePage(machine, figures), options))
}

function writePage(machine, figures) {
  return `# Measurements

Ratios of tonplug to the libraries that it uses or replaces, measured by \`npx pnpm@12 bench\` in one run on ${machine}. [The method and the suites](../../bench/README.md) are described with the benchmark. Absolute numbers differ between machines, so run it on yours.

A ratio compares two contenders within one round. The table has the median of the rounds, with the minimum and the maximum. A floor is the required ratio, and a goal is the desired one. The figures are also available [as JSON](measurements.json).

![The ratios with their floors](measurements.svg)

${writeTable(figures)}

C1 to C4 compare with handlers that make the same promises: signature and fields checked, delivery stored before its decision, order completed once, a response within a deadline. C5 has no floor: its contender stores nothing. C6 compares requests to other routes. E2 compares with a handler that makes the same promises on PostgreSQL.
`
}
