import { runDemo } from './run-demo.js'
import { scenarios } from './scenarios.js'

console.log('Running all failure scenarios between a shop and a payment gateway; up to a minute…')
process.exitCode = await runDemo({ scenarios, print: console.log })
