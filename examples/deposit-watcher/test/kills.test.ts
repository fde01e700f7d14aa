import { watch } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '@tonplug/postgres'
import { createRandom } from '@tonplug/test-support/random'
import { createRandomChain } from './random-chain.js'
import { startFakeIndex } from './fake-index.js'
import type { FakeIndex } from './fake-index.js'
import { makeDatabase, makeFolder, readLedger, START } from './watcher.js'
import type { LedgerState } from './watcher.js'
import { environment, startWorker } from './worker-process.js'

const SEED = Number(process.env['SEED'] ?? 20_261_121)
/** Messages to PostgreSQL for a statement that credits. */
const MESSAGES = 6

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
      // The database exists: too late for the file.
      if (kill.on === 'file') worker.kill()
      if (line.includes('deposit credited')) record('credited')
    },
  })
  const files = watch(dirname(env['DATA_DIR'] ?? ''), { recursive: true }, () => record('file'))
  const { by, errors } = await worker.ended
  files.close()
  expect({ by, errors }).toEqual({ by: 'SIGKILL', errors: '' })
}

/** Runs the worker until it has read everything, stops it with SIGTERM and reads its ledger. */
async function finish(index: FakeIndex, env: Record<string, string>): Promise<LedgerState> {
  let polls = 0
  const worker = startWorker({ env })
  index.onRequest = undefined
  // Each poll begins with this request: the third one follows after all rows of two polls were credited.
  index.onResponse = ({ path }) => {
    if (path === '/masterchainInfo' && ++polls === 3) worker.kill('SIGTERM')
  }
  expect(await worker.ended).toEqual({ by: 0, errors: '' })
  const { db, close } = await openDatabase({ folder: env['DATA_DIR'] })
  const ledger = await readLedger(db)
  await close()
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
