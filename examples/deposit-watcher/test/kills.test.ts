import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'
import { openDatabase } from '../src/database.js'
import { createRandomChain } from './random-chain.js'
import { startFakeIndex } from './fake-index.js'
import type { FakeIndex } from './fake-index.js'
import { makeDatabase, makeFolder, readLedger, START } from './watcher.js'
import type { LedgerState } from './watcher.js'
import { environment, startWorker } from './worker-process.js'
import type { WorkerProcess } from './worker-process.js'

// Each run of the worker takes a second, more on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const SEED = Number(process.env['SEED'] ?? 20_261_121)
/** Messages to PostgreSQL in a transaction that credits: begin, credits, cursor, commit, with their parts. */
const MESSAGES = 16

type WorkerEvent = 'request' | 'response' | 'line' | 'credited' | 'file'

/** Kills the worker at the `count`-th event of a kind. */
interface Kill {
  on: WorkerEvent
  count: number
}

/** Runs the worker until it is killed, while deposits arrive on chain. */
async function runUntilKilled(
  kill: Kill,
  { index, env, addEvent }: { index: FakeIndex; env: Record<string, string>; addEvent: () => void },
): Promise<void> {
  let left = kill.count
  const record = (event: WorkerEvent): void => {
    if (event === kill.on && --left === 0) worker.kill()
  }
  index.onRequest = () => {
    addEvent()
    record('request')
  }
  index.onResponse = () => record('response')
  const worker = startWorker({
    env,
    onLine(line) {
      record('line')
      if (line.includes('deposit credited')) record('credited')
    },
  })
  const files = kill.on === 'file' ? watchDatabaseCreation(env, record, worker) : undefined
  const { by, errors } = await worker.ended
  files?.close()
  expect({ by, errors }).toEqual({ by: 'SIGKILL', errors: '' })
}

/** Counts file changes during the creation of the database. Kills the worker at the latest when the database exists. */
function watchDatabaseCreation(
  env: Record<string, string>,
  record: (event: WorkerEvent) => void,
  worker: WorkerProcess,
): FSWatcher {
  const folder = dirname(env['DATA_DIR'] ?? '')
  return watch(folder, { recursive: true }, (_, name) => {
    if (name?.startsWith('data.new') === true) record('file')
    else worker.kill()
  })
}

/** Runs the worker until it has read everything, stops it with SIGTERM and reads its ledger. */
async function finish(index: FakeIndex, env: Record<string, string>): Promise<LedgerState> {
  const requests = new Map<string, number>()
  const worker = startWorker({ env })
  index.onRequest = undefined
  // The fourth request for rows follows after all rows of the first one were credited.
  index.onResponse = ({ path, query }) => {
    if (query.has('start_utime')) requests.set(path, (requests.get(path) ?? 0) + 1)
    if (requests.size === 2 && Math.min(...requests.values()) >= 4) worker.kill('SIGTERM')
  }
  expect(await worker.ended).toEqual({ by: 'SIGTERM', errors: '' })
  const database = await openDatabase(env['DATA_DIR'] ?? '')
  const ledger = await readLedger(database)
  await database.close()
  return ledger
}

it(`credits every deposit once although it is killed repeatedly, seed ${SEED}`, async () => {
  const random = createRandom(SEED)
  const upTo = (max: number): number => 1 + Math.floor(random() * max)
  const chain = createRandomChain(random)
  const index = await startFakeIndex(START + 100)
  const env = environment(index.url, await makeFolder())
  const addEvent = (): void => {
    if (random() < 0.5) chain.addEvent(index)
  }
  const kills: Kill[] = [
    { on: 'line', count: 1 },
    { on: 'file', count: 1 },
    { on: 'file', count: upTo(20) },
    { on: 'file', count: 20 + upTo(200) },
    ...Array.from({ length: 16 }, (): Kill => {
      const on = (['request', 'response', 'response', 'line', 'credited'] as const)[upTo(5) - 1]
      return { on: on ?? 'request', count: upTo(on === 'line' || on === 'credited' ? 4 : 24) }
    }),
  ]

  for (const kill of kills) await runUntilKilled(kill, { index, env, addEvent })
  // The lock file of PostgreSQL as a kill at the worst moment leaves it.
  await writeFile(join(env['DATA_DIR'] ?? '', 'postmaster.pid'), '')
  chain.deliverJettons(index)

  const expected = chain.expected()
  expect(expected.credits.length).toBeGreaterThan(20)
  expect(await finish(index, env)).toEqual(expected)
})

it('credits every deposit once although it is killed after each message of the transaction', async () => {
  const chain = createRandomChain(createRandom(SEED))
  const index = await startFakeIndex(START + 100)
  const env = environment(index.url, await makeDatabase())
  const preload = new URL('kill-at.mjs', import.meta.url)

  for (let killAt = 1; killAt <= MESSAGES; killAt++) {
    for (let events = 0; events < 5; events++) chain.addEvent(index)
    const worker = startWorker({ env: { ...env, KILL_AT: String(killAt) }, preload })
    expect(await worker.ended).toEqual({ by: 'SIGKILL', errors: '' })
  }
  chain.deliverJettons(index)

  expect(await finish(index, env)).toEqual(chain.expected())
})
