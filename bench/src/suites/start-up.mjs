// Measures the processor time of a cold import of core (G1), and the memory that tonplug adds to an idle Express app (G2). Each
// sample is a process of its own.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { report } from '../report.mjs'
import { median } from '../rounds.mjs'

const ROUNDS = 15
const FOLDER = join(import.meta.dirname, '..')

const EMPTY = ''
const CORE = "await import('@tonplug/core')"
const APP = "const { default: express } = await import('express'); express().listen(0, '127.0.0.1')"
const SHOP = `
  const { createPayments, createWebhookReceiver, memoryOrderRepository } = await import('@tonplug/core')
  const { tonplugWebhook } = await import('@tonplug/express')
  const { default: express } = await import('express')
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const payments = createPayments({ orders: memoryOrderRepository(), logger })
  const receiver = createWebhookReceiver({ payments, secrets: 'whsec_bench' })
  express().post('/', tonplugWebhook(receiver)).listen(0, '127.0.0.1')`

const rounds = Array.from({ length: ROUNDS }, () => {
  const [empty, core, app, shop] = [EMPTY, CORE, APP, SHOP].map(measure)
  return { importMs: core.cpuMs - empty.cpuMs, addedMb: shop.rssMb - app.rssMb }
})
const spreadOf = (unit) => {
  const values = rounds.map((round) => round[unit])
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}
report([
  {
    id: 'G1',
    what: 'cold import of core, ms of processor time',
    beside: 'an empty module',
    spread: spreadOf('importMs'),
    floor: '<= 60',
    goal: '<= 30',
  },
  {
    id: 'G2',
    what: 'memory of an idle Express app with a webhook, MB',
    beside: 'the same app without tonplug',
    spread: spreadOf('addedMb'),
    floor: '<= 14',
    goal: '<= 8',
  },
])

/** Runs a module, and reports its processor time and its memory after a garbage collection. */
function measure(code) {
  const text = `${code}
    globalThis.gc()
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 2 ** 20 }))
    process.exit()`
  const options = ['--expose-gc', '--input-type=module', '--eval', text]
  return JSON.parse(execFileSync(process.execPath, options, { cwd: FOLDER, encoding: 'utf8' }))
}
