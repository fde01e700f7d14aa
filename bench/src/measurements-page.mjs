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

tonplug beside the libraries that it uses or replaces, measured by \`npx pnpm@12 bench\` in one run on ${machine}. [How it is measured](../../bench/README.md) says what each suite does; run it on your machine, since absolute numbers of another one say little.

A ratio compares two contenders within a round: the median of the rounds is given, with the least and the greatest. A floor is what the median should meet, a goal is what we would like it to. The figures are also there [as JSON](measurements.json).

![The ratios with their floors](measurements.svg)

${writeTable(figures)}

C1 to C5 compare with handlers that verify, parse and answer, and keep nothing: no inbox, no deadline, no decision that outlives the request. That is what the rest of the time goes into; C6 to C8 compare with handlers that check the same and keep delivery and decision in memory too. E4 compares with one that keeps its promises on PostgreSQL, as a shop does.
`
}
