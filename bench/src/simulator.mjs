// Measures the simulator: its startup, a payment, and the heap that a thousand payments retain: see README.md.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { startSimulator } from '@tonplug/simulator'
import { median } from './rounds.mjs'

const STARTS = 7
const SINGLES = 21
const MANY = 1000
const KEPT_TRANSACTIONS = 500
const REPORTED = new Set([100, 500, 1000])

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{"ok":true}'))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const options = { url: `http://127.0.0.1:${server.address().port}`, secret: 'whsec_bench' }
try {
  await measureStarts()
  for (const jetton of [false, true]) await measurePayments(jetton)
  await measureMany()
} finally {
  server.closeAllConnections()
  server.close()
}

async function measureStarts() {
  const times = []
  for (let count = 0; count < STARTS; count++) {
    times.push(await time(async () => (await startSimulator(options)).close()))
  }
  console.log(`start: ${ms(times[0])} at first, then ${ms(median(times.slice(1)))}`)
}

async function measurePayments(jetton) {
  const simulator = await startSimulator(options)
  const times = []
  for (let count = 0; count < SINGLES; count++) times.push(await time(() => pay(simulator, jetton)))
  const sorted = times.toSorted((one, other) => one - other)
  const coin = jetton ? 'jetton' : 'native coin'
  console.log(`payment to webhook, ${coin}: ${ms(median(times))}, at most ${ms(sorted.at(-1))}`)
  await simulator.close()
}

/** Makes many payments, every second one in a jetton, and prints the memory in use. */
async function measureMany() {
  const simulator = await startSimulator({ ...options, maxTransactions: KEPT_TRANSACTIONS })
  const begin = performance.now()
  for (let count = 1; count <= MANY; count++) {
    await pay(simulator, count % 2 === 0)
    if (!REPORTED.has(count)) continue
    const { rss } = process.memoryUsage()
    const took = ms(performance.now() - begin)
    console.log(`${count} payments: ${took}, heap ${megabytes(heap())}, process ${megabytes(rss)}`)
  }
  await simulator.close()
}

async function pay(simulator, jetton) {
  const asset = jetton ? simulator.usdt.master.toString() : 'TON'
  const { reference } = simulator.gateway.createTransfer({ rawAmount: 1_000_000n, asset })
  const { report } = await simulator.pay(reference)
  if (!report.isDelivered) throw new Error(`${reference} was not delivered`)
}

function heap() {
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

async function time(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

function ms(value) {
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(0)} ms`
}

function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`
}
