// Compares webhooks over HTTP with handlers written by hand: some only verify and parse, some do the same as tonplug. Each
// runs in a separate process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'
import { makeDeliveries, PATH } from '../webhooks.mjs'

const ROUNDS = 9
/** A new server runs code that is not compiled yet; more code needs a longer warm-up. */
const WARM_UP_ROUNDS = 10
const BATCH = 1500
const AT_ONCE = 16
const SERVER = join(import.meta.dirname, '../servers/webhook-server.mjs')
const NAMES = [
  'express-raw',
  'express-stream',
  'express-same',
  'express-tonplug',
  'fetch-tonplug',
  'fastify-raw',
  'nest-express-raw',
  'nest-express-same',
  'nest-express-tonplug',
  'nest-fastify-same',
  'nest-fastify-tonplug',
]

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

const figure = ({ id, ours, peer, what, beside, floor, goal, unit = 'wallMs' }) => ({
  id,
  what: `${what}, ${unit === 'wallMs' ? 'requests a second' : 'processor time a request'}`,
  beside,
  // A rate is the inverse of a time.
  spread:
    unit === 'wallMs'
      ? ratio(samples.get(peer), samples.get(ours), unit)
      : ratio(samples.get(ours), samples.get(peer), unit),
  floor,
  goal,
})
const express = { ours: 'express-tonplug', what: 'Express middleware' }
const raw = { peer: 'express-raw', beside: 'express.raw, HMAC, res.json' }
const stream = { peer: 'express-stream', beside: 'HMAC over the stream by hand' }
const onFastify = { ours: 'nest-fastify-tonplug', what: 'Nest on Fastify' }
const onExpress = { ours: 'nest-express-tonplug', what: 'Nest on Express' }
const bareFastify = { peer: 'fastify-raw', beside: 'bare Fastify by hand' }
const bareNest = { peer: 'nest-express-raw', beside: 'bare Nest with rawBody by hand' }
const beside = 'the same by hand'
report([
  figure({ id: 'C1', ...express, ...raw, floor: '>= 0.95', goal: '>= 1.4' }),
  figure({ id: 'C1c', ...express, ...raw, unit: 'cpuMs' }),
  figure({ id: 'C2', ...express, ...stream, floor: '>= 0.8', goal: '>= 0.95' }),
  figure({ id: 'C2c', ...express, ...stream, unit: 'cpuMs' }),
  figure({ id: 'C3', ...onFastify, ...bareFastify, floor: '>= 0.85', goal: '>= 0.95' }),
  figure({ id: 'C4', ...onExpress, ...bareNest, floor: '>= 0.95', goal: '>= 1.15' }),
  figure({
    id: 'C5',
    ours: 'fetch-tonplug',
    what: 'Fetch handler on Node',
    ...raw,
    unit: 'cpuMs',
    floor: '<= 1.3',
    goal: '<= 1.1',
  }),
  figure({ id: 'C6', ...express, peer: 'express-same', beside, floor: '>= 0.9' }),
  figure({ id: 'C6c', ...express, peer: 'express-same', beside, unit: 'cpuMs' }),
  figure({ id: 'C7', ...onFastify, peer: 'nest-fastify-same', beside, floor: '>= 0.9' }),
  figure({ id: 'C7c', ...onFastify, peer: 'nest-fastify-same', beside, unit: 'cpuMs' }),
  figure({ id: 'C8', ...onExpress, peer: 'nest-express-same', beside, floor: '>= 0.9' }),
  figure({ id: 'C8c', ...onExpress, peer: 'nest-express-same', beside, unit: 'cpuMs' }),
])

async function start(name) {
  const child = fork(SERVER, [name, String((ROUNDS + WARM_UP_ROUNDS) * BATCH)], { execArgv: [] })
  const [port] = await once(child, 'message')
  return { name, child, pool: new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE }) }
}

/** Delivers a batch of payments for separate orders. Returns the time per delivery. */
async function run({ name, child, pool }, from) {
  const deliveries = makeDeliveries(from, from + BATCH)
  await sleep(20)
  const sleepAgain = stayAwake()
  const cpuBefore = await cpuOf(child)
  const before = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = deliveries.pop(); next !== undefined; next = deliveries.pop()) {
        const { statusCode, body } = await pool.request({ path: PATH, method: 'POST', ...next })
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
