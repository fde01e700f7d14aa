import { runDemo } from './run-demo.js'
import { scenes } from './scenes.js'

console.log(
  'A shop, a payment gateway and everything that can go wrong between them; some seconds…',
)
process.exitCode = await runDemo({ scenes, print: console.log })
