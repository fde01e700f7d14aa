// Compares clients on pages of 10 and of 100 transactions, with one local server.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createV2Client } from '@tonplug/core/toncenter'
import { makeContenders } from '../contenders.mjs'
import { ADDRESS } from '../page.mjs'
import { counted, report } from '../report.mjs'
import { measureRounds, median, ratio } from '../rounds.mjs'

const ROUNDS = 21
const SOCKET_ROUNDS = 5
const CALLS = { 10: 40, 100: 15 }

const server = fork(join(import.meta.dirname, '../servers/page-server.mjs'), { execArgv: [] })
const [port] = await once(server, 'message')
const root = `http://127.0.0.1:${port}`
const figures = []
try {
  for (const limit of [10, 100]) figures.push(...(await comparePages(limit)))
  figures.push(await countSockets(), await countShared())
} finally {
  server.kill()
}
report(figures)
// The clients keep their connections open, so exit explicitly, after the report was sent.
setImmediate(() => process.exit())

async function comparePages(limit) {
  const contenders = makeContenders(root, limit)
  for (const { name, call } of contenders) assert.equal((await call()).length, limit, name)
  const options = { rounds: ROUNDS, calls: CALLS[limit], warmUpCalls: 150, settlingCalls: 5 }
  const samples = await measureRounds(contenders, options)
  const [, overPool, ours, oursOverPool, httpApi, tonClient, decoded] = samples
  const transactions = `${limit} transactions`
  const figure = (id, what, beside, [own, base]) => {
    const spread = ratio(own, base, 'cpuMs')
    return { id: limit === 100 ? id : `${id}s`, what: `${what}, ${transactions}`, beside, spread }
  }
  return [
    {
      ...figure('D', 'client over fetch', 'fetch with a signal, and the same decoder', [
        ours,
        decoded,
      ]),
      ...(limit === 100
        ? { id: 'D1', floor: '<= 1.2', goal: '<= 1.05' }
        : { id: 'D2', floor: '<= 1.45', goal: '<= 1.25' }),
    },
    figure('D6', 'client over a Pool', 'information: Pool and JSON.parse', [
      oursOverPool,
      overPool,
    ]),
    figure('D7', 'TonClient', 'information: client over fetch', [tonClient, ours]),
    figure('D8', 'HttpApi', 'information: client over fetch', [httpApi, ours]),
  ]
}

/**
 * Counts new connections during 1000 calls, 64 of them concurrent, after a warm-up: the median of some rounds, since a round
 * may contain a turn with more sockets in use than any turn before.
 */
async function countSockets() {
  const client = createV2Client({ baseUrl: root, rps: Infinity })
  let calls = 0
  const work = async (limit) => {
    while (calls++ < limit) {
      await client.getTransactions({ address: ADDRESS, limit: 10, to_lt: BigInt(calls) })
    }
  }
  const atOnce = async (limit) => {
    calls = 0
    await Promise.all(Array.from({ length: 64 }, () => work(limit)))
  }
  // Within a turn of the event loop, a socket is still in use when the next call begins, so there are more sockets than
  // concurrent calls.
  await atOnce(10_000)
  const counts = []
  for (let round = 0; round < SOCKET_ROUNDS; round++) {
    const before = await ask('connections')
    await atOnce(1000)
    counts.push((await ask('connections')) - before)
  }
  return {
    id: 'D4',
    what: 'new sockets in 1000 calls, 64 at once',
    beside: 'none',
    spread: counted(median(counts)),
    floor: '<= 0',
    goal: '<= 0',
  }
}

/** Counts the requests of 64 identical concurrent reads. */
async function countShared() {
  const client = createV2Client({ baseUrl: root, rps: Infinity })
  const before = await ask('requests')
  const read = () => client.getTransactions({ address: ADDRESS, limit: 10 })
  await Promise.all(Array.from({ length: 64 }, read))
  return {
    id: 'D5',
    what: 'requests of 64 equal reads at once',
    beside: 'one',
    spread: counted((await ask('requests')) - before),
    floor: '<= 1',
    goal: '<= 1',
  }
}

async function ask(what) {
  server.send(what)
  const [answer] = await once(server, 'message')
  return answer
}
