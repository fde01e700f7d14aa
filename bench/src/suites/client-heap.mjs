// Compares the heap allocated by one call of a client with bare fetch. No garbage collection runs between the two readings.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { makeContenders } from '../contenders.mjs'
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'

// Large enough for the objects of a round, so that none are collected during the measurement.
setFlagsFromString('--semi-space-growth-factor=16')
setFlagsFromString('--min-semi-space-size=256')
setFlagsFromString('--max-semi-space-size=256')

const LIMIT = 100
const ROUNDS = 15
const CALLS = 10

const server = fork(join(import.meta.dirname, '../servers/page-server.mjs'), { execArgv: [] })
const [port] = await once(server, 'message')
try {
  const contenders = makeContenders(`http://127.0.0.1:${port}`, LIMIT)
  const chosen = [contenders[0], contenders[1], contenders[2], contenders[5]]
  for (const { call } of chosen) for (let index = 0; index < 60; index++) await call()
  const samples = chosen.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < chosen.length; turn++) {
      const index = (round + turn) % chosen.length
      samples[index].push({ bytes: await allocated(chosen[index].call) })
    }
  }
  const [overFetch, , ours, tonClient] = samples
  report([
    {
      id: 'D3',
      what: 'heap of a call, client over fetch',
      beside: 'fetch and JSON.parse',
      spread: ratio(ours, overFetch, 'bytes'),
      floor: '<= 2.3',
      goal: '<= 1.3',
    },
    {
      id: 'D3t',
      what: 'heap of a call, TonClient',
      beside: 'fetch and JSON.parse',
      spread: ratio(tonClient, overFetch, 'bytes'),
    },
  ])
} finally {
  server.kill()
}
setImmediate(() => process.exit())

async function allocated(call) {
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < CALLS; index++) await call()
  return (process.memoryUsage().heapUsed - before) / CALLS
}
