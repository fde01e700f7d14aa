// Measures tonplug beside the libraries that it uses or replaces: see README.md.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeMeasurements } from './measurements-page.mjs'
import { writeTable } from './report.mjs'

const SUITES = join(import.meta.dirname, 'suites')
const known = readdirSync(SUITES).map((file) => basename(file, '.mjs'))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'string' } },
})
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown suite: ${unknown.join(', ')}. The suites are: ${known.join(', ')}`)
  process.exit(2)
}

const figures = []
for (const name of positionals.length > 0 ? positionals : known) {
  console.error(`${name} …`)
  figures.push(...(await run(name)))
}
figures.sort((one, other) => (one.id < other.id ? -1 : 1))
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`
console.log(`\n${machine}\n\n${writeTable(figures)}`)
if (values.write !== undefined) await writeMeasurements(values.write, { machine, figures })

/** Runs a suite in a separate process, so that suites do not affect each other's compiled code or heap. */
async function run(name) {
  const suite = fork(join(SUITES, `${name}.mjs`), { execArgv: ['--expose-gc'] })
  const reported = []
  suite.on('message', (message) => reported.push(...message.figures))
  const [code] = await once(suite, 'exit')
  if (code !== 0) throw new Error(`the suite ${name} ended with ${code}`)
  return reported
}
