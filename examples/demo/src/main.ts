import { rows } from './rows.js'
import { run } from './run.js'

console.log('Payments on a simulated chain, and failures on their way to a shop:\n')
const failed = await run(rows, console.log)
console.log(failed === 0 ? `All ${rows.length} rows are as promised.` : `${failed} rows are not.`)
process.exitCode = failed === 0 ? 0 : 1
