// Compares webhooks over HTTP with handlers written by hand. Each server runs in a separate process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'
import { makeDeliveries, PATH } from '../webhooks.mjs'

const ROUNDS = 7
/** A new server runs code that is not compiled yet; more code needs a longer warm-up. */
const WARM_UP_ROUNDS = 3
const BATCH = 5000
const AT_ONCE = 16
const SERVER = join(import.meta.dirname, '../servers/webhook-server.mjs')
const NAMES = [
  'express-raw',
  'express-same',
  'express-tonplug',
  'express-bare',
  'express-beside',
  'fetch-same',
  'fetch-tonplug',
  'nest-express-same',
  'nest-express-tonplug',
  'nest-fastify-same',
  'nest-fastify-tonplug',
]

/** Servers whose requests are no webhooks. */
const OTHER_ROUTES = ['express-bare', 'express-beside']

const servers = new Map()
for (const name of NAMES) servers.set(name, await start(name))
const samples = new Map(NAMES.map((name) => [name, []]))
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  for (let turn = 0; turn < NAMES.length; turn++) {
    const name = NAMES[(round + WARM_UP_ROUNDS + turn) % NAMES.length]
    const sample = await run(servers.get(name), (round + WARM_UP_ROUNDS) * BATCH)
    if (round >= 0) samples.get(name).push(sample)
  }
}
for (const { child, pool } of servers.values()) {
  await pool.close()
  child.kill()
}

const figure = ({ ours, peer, ...described }) => ({
  ...described,
  spread: ratio(samples.get(ours), samples.get(peer), 'cpuMs'),
})
// Both sides check the signature and the fields, store the delivery before its decision, complete the order once, and
// respond within a deadline.
const same = 'the same promises by hand, processor time'
const express = { ours: 'express-tonplug', what: 'Express, a delivery' }
report([
  figure({
    id: 'C1',
    ...express,
    peer: 'express-same',
    beside: same,
    floor: '<= 1.05',
    goal: '<= 0.95',
  }),
  figure({
    id: 'C2',
    ours: 'nest-fastify-tonplug',
    peer: 'nest-fastify-same',
    what: 'Nest on Fastify, a delivery',
    beside: same,
    floor: '<= 1.2',
    goal: '<= 1.1',
  }),
  figure({
    id: 'C3',
    ours: 'nest-express-tonplug',
    peer: 'nest-express-same',
    what: 'Nest on Express, a delivery',
    beside: same,
    floor: '<= 1.05',
    goal: '<= 0.95',
  }),
  figure({
    id: 'C4',
    ours: 'fetch-tonplug',
    peer: 'fetch-same',
    what: 'Fetch handler on Node, a delivery',
    beside: `${same}, same server`,
    floor: '<= 1.3',
    goal: '<= 1.15',
  }),
  figure({
    id: 'C5',
    ...express,
    peer: 'express-raw',
    beside: 'information: express.raw, HMAC and res.json, which store nothing',
    goal: '<= 1.15',
  }),
  figure({
    id: 'C6',
    ours: 'express-beside',
    peer: 'express-bare',
    what: 'Express, a request to another route, with tonplug',
    beside: 'the same app without tonplug, processor time',
    floor: '<= 1.03',
    goal: '<= 1.01',
  }),
])

async function start(name) {
  const child = fork(SERVER, [name, String((ROUNDS + WARM_UP_ROUNDS) * BATCH)], { execArgv: [] })
  const [port] = await once(child, 'message')
  return { name, child, pool: new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE }) }
}

/** Delivers a batch of payments for separate orders. Returns the time per delivery. */
async function run({ name, child, pool }, from) {
  const deliveries = makeDeliveries(from, from + BATCH)
  const path = OTHER_ROUTES.includes(name) ? '/orders' : PATH
  await sleep(20)
  const sleepAgain = stayAwake()
  const cpuBefore = await cpuOf(child)
  const before = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = deliveries.pop(); next !== undefined; next = deliveries.pop()) {
        const { statusCode, body } = await pool.request({ path, method: 'POST', ...next })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`)
      }
    }),
  )
  const wallMs = (performance.now() - before) / BATCH
  sleepAgain()
  return { wallMs, cpuMs: ((await cpuOf(child)) - cpuBefore) / BATCH }
}

/**
 * Keeps the event loop of this process busy. Otherwise the server that writes a response would also pay for waking this
 * process, which costs more than writing, and happens more often with slower servers.
 */
function stayAwake() {
  let isAwake = true
  const turn = () => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

async function cpuOf(child) {
  child.send('cpu')
  const [{ user, system }] = await once(child, 'message')
  return (user + system) / 1000
}
