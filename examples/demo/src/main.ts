import { runDemo } from './run-demo.js'
import { scenarios } from './scenarios.js'

console.log('Running payments, and failures on their way to a shop; up to a minute…')
process.exitCode = await runDemo({ scenarios, print: console.log })
