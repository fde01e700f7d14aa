// Compares clients on pages of 10 and of 100 transactions: see README.md.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { makeContenders } from './contenders.mjs'
import { measureRounds, median, ratio } from './rounds.mjs'

const ROUNDS = 21
const CALLS = { 10: 40, 100: 15 }

const server = fork(fileURLToPath(new URL('page-server.mjs', import.meta.url)))
const [port] = await once(server, 'message')
try {
  for (const limit of [10, 100]) {
    const contenders = makeContenders(`http://127.0.0.1:${port}`, limit)
    for (const { name, call } of contenders) assert.equal((await call()).length, limit, name)
    const calls = CALLS[limit]
    const samples = await measureRounds(contenders, { rounds: ROUNDS, calls, warmUpCalls: 150 })
    console.log(
      `\n${limit} transactions a page, ${ROUNDS} rounds of ${calls} calls, Node ${process.version}\n`,
    )
    report(contenders, samples)
  }
} finally {
  server.kill()
}
// The clients keep their connections open.
process.exit()

function report(contenders, samples) {
  const [overFetch, overPool, ours] = samples
  console.log('| Client | ms | × fetch | CPU ms | CPU × fetch | CPU × Pool | CPU × ours |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  contenders.forEach(({ name }, index) => {
    const rounds = samples[index]
    const cells = [
      name,
      median(rounds.map(({ wallMs }) => wallMs)).toFixed(2),
      write(ratio(rounds, overFetch, 'wallMs')),
      median(rounds.map(({ cpuMs }) => cpuMs)).toFixed(2),
      write(ratio(rounds, overFetch, 'cpuMs')),
      write(ratio(rounds, overPool, 'cpuMs')),
      write(ratio(rounds, ours, 'cpuMs')),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  })
}

function write(spread) {
  return `${spread.median.toFixed(2)} (${spread.min.toFixed(2)} to ${spread.max.toFixed(2)})`
}
