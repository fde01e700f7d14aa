import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '../src/database.js'
import { createScriptedChain } from './scripted-chain.js'
import { startIndexStandIn } from './index-stand-in.js'
import type { IndexStandIn } from './index-stand-in.js'
import { makeDatabase, makeFolder, readBooks, START } from './watcher.js'
import type { Books } from './watcher.js'
import { environment, startWorker } from './worker-process.js'
import type { WorkerProcess } from './worker-process.js'

// Each life of the worker takes a second, more on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

const SEED = Number(process.env['SEED'] ?? 20_261_121)
/** Messages to PostgreSQL in a transaction that credits: begin, credits, cursor, commit, with their parts. */
const MESSAGES = 16

/** Random numbers from 0 to below 1, the same for one seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** How a life of the worker ends: when one of these has happened for the so-manieth time. */
type Occasion = 'asked' | 'answered' | 'line' | 'credited' | 'making'
interface Death {
  on: Occasion
  count: number
}

/** Lets the worker live until its death comes, while things happen on chain. */
async function live(
  death: Death,
  { index, env, happen }: { index: IndexStandIn; env: Record<string, string>; happen: () => void },
): Promise<void> {
  let left = death.count
  const meet = (occasion: Occasion): void => {
    if (occasion === death.on && --left === 0) worker.kill()
  }
  index.onAsked = () => {
    happen()
    meet('asked')
  }
  index.onAnswered = () => meet('answered')
  const worker = startWorker({
    env,
    onLine(line) {
      meet('line')
      if (line.includes('Credited')) meet('credited')
    },
  })
  const making = death.on === 'making' ? watchMaking(env, meet, worker) : undefined
  const { by, errors } = await worker.ended
  making?.close()
  expect({ by, errors }).toEqual({ by: 'SIGKILL', errors: '' })
}

/** Counts what changes while a new database is made; when it is there after fewer changes, that is the end too. */
function watchMaking(
  env: Record<string, string>,
  meet: (occasion: Occasion) => void,
  worker: WorkerProcess,
): FSWatcher {
  const folder = dirname(env['DATA_DIR'] ?? '')
  return watch(folder, { recursive: true }, (_, name) => {
    if (name?.startsWith('data.new') === true) meet('making')
    else worker.kill()
  })
}

/** Runs the worker until it has looked at everything, ends it by SIGTERM and reads its books. */
async function finish(index: IndexStandIn, env: Record<string, string>): Promise<Books> {
  const looks = new Map<string, number>()
  const worker = startWorker({ env })
  index.onAsked = undefined
  // The fourth request for rows comes after all that the first one brought was credited.
  index.onAnswered = ({ path, query }) => {
    if (query.has('start_utime')) looks.set(path, (looks.get(path) ?? 0) + 1)
    if (looks.size === 2 && Math.min(...looks.values()) >= 4) worker.kill('SIGTERM')
  }
  expect(await worker.ended).toEqual({ by: 'SIGTERM', errors: '' })
  const database = await openDatabase(env['DATA_DIR'] ?? '')
  const books = await readBooks(database)
  await database.close()
  return books
}

it(`credits every deposit once though it is killed again and again, seed ${SEED}`, async () => {
  const random = randomOf(SEED)
  const upTo = (most: number): number => 1 + Math.floor(random() * most)
  const chain = createScriptedChain(random)
  const index = await startIndexStandIn(START + 100)
  const env = environment(index.url, await makeFolder())
  const happen = (): void => {
    if (random() < 0.5) chain.happen(index)
  }
  const deaths: Death[] = [
    { on: 'line', count: 1 },
    { on: 'making', count: 1 },
    { on: 'making', count: upTo(20) },
    { on: 'making', count: 20 + upTo(200) },
    ...Array.from({ length: 16 }, (): Death => {
      const on = (['asked', 'answered', 'answered', 'line', 'credited'] as const)[upTo(5) - 1]
      return { on: on ?? 'asked', count: upTo(on === 'line' || on === 'credited' ? 4 : 24) }
    }),
  ]

  for (const death of deaths) await live(death, { index, env, happen })
  chain.settle(index)

  const expected = chain.expected()
  expect(expected.credits.length).toBeGreaterThan(20)
  expect(await finish(index, env)).toEqual(expected)
})

it('credits every deposit once though it is killed after each message of the transaction', async () => {
  const chain = createScriptedChain(randomOf(SEED))
  const index = await startIndexStandIn(START + 100)
  const env = environment(index.url, await makeDatabase())
  const preload = new URL('die-at.mjs', import.meta.url)

  for (let dieAt = 1; dieAt <= MESSAGES; dieAt++) {
    for (let happenings = 0; happenings < 5; happenings++) chain.happen(index)
    const worker = startWorker({ env: { ...env, DIE_AT: String(dieAt) }, preload })
    expect(await worker.ended).toEqual({ by: 'SIGKILL', errors: '' })
  }
  chain.settle(index)

  expect(await finish(index, env)).toEqual(chain.expected())
})
