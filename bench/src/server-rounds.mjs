import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

const ROUNDS = 7
/** A new server runs code that is not compiled yet; more code needs a longer warm-up. */
const WARM_UP_ROUNDS = 3
const BATCH = 5000
const AT_ONCE = 16
const SERVER = join(import.meta.dirname, 'servers/webhook-server.mjs')

/**
 * Sends batches of requests to servers in rotating order, each server in a separate process.
 * @param names servers of `servers/webhook-server.mjs`, at most 11
 * @param route `path` of the route, and `makeRequests`, which returns bodies and headers for a range of order numbers
 * @returns the rounds of each server by its name, as `{ wallMs, cpuMs }` per request
 */
export async function measureServers(names, route) {
  const servers = new Map()
  for (const name of names) servers.set(name, await start(name))
  const samples = new Map(names.map((name) => [name, []]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + WARM_UP_ROUNDS + turn) % names.length]
      const sample = await run({ ...servers.get(name), ...route }, (round + WARM_UP_ROUNDS) * BATCH)
      if (round >= 0) samples.get(name).push(sample)
    }
  }
  for (const { child, pool } of servers.values()) {
    await pool.close()
    child.kill()
  }
  return samples
}

async function start(name) {
  const child = fork(SERVER, [name, String((ROUNDS + WARM_UP_ROUNDS) * BATCH)], { execArgv: [] })
  const [port] = await once(child, 'message')
  return { name, child, pool: new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE }) }
}

/** Sends a batch of requests for separate orders. Returns the time per request. */
async function run({ name, child, pool, path, makeRequests }, from) {
  const requests = makeRequests(from, from + BATCH)
  await sleep(20)
  const sleepAgain = stayAwake()
  const cpuBefore = await cpuOf(child)
  const before = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
        const { statusCode, body } = await pool.request({ path, method: 'POST', ...next })
        await body.dump()
        if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}`)
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
