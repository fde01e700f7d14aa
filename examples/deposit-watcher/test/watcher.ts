import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NestFactory } from '@nestjs/core'
import { createManualClock } from '@tonplug/testing'
import type { ManualClock, PendingTimer } from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../src/database.js'
import { DepositWatcher } from '../src/deposit-watcher.js'
import type { Settings } from '../src/settings.js'
import { WatcherModule } from '../src/watcher.module.js'
import { addressOf } from './chain.js'

/** Doubled again and again, it is none of the bounds of a request. */
const POLL_MS = 7000
/** The time of the index at the start of a test, and of the first deposits. */
export const START = 1_785_330_000
export const MASTER = addressOf('jetton')
export const ALICE = addressOf('alice')
export const BOB = addressOf('bob')

/** The bounds of an attempt and of a call, unless somebody chose others. */
const GUARDS_MS = [10_000, 60_000]

/** Credits and balances, each as `address asset amount`, sorted. */
export interface Books {
  credits: string[]
  balances: string[]
}

let template: Promise<string> | undefined

/** A watcher that runs in this process, by a clock that the test moves. */
export interface RunningWatcher {
  clock: ManualClock
  /** Resolves when all loops rest between two polls. */
  rest(): Promise<void>
  /** Moves the clock to the next poll and waits until all loops rest again. */
  poll(): Promise<void>
  /** Moves the clock from wait to wait, but never past one for an answer, until so much has been credited. */
  passWaitsUntil(credits: number): Promise<void>
  /** Rejects with what ended it. */
  ended: Promise<void>
  books(): Promise<Books>
  stop(): Promise<void>
}

/** Where a database may be made, gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deposit-watcher-'))
  onTestFinished(async () => rm(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** A folder with an empty database, gone after the test. To make one takes seconds, so it is a copy. */
export async function makeDatabase(): Promise<string> {
  const dataDir = await makeFolder()
  await cp(await (template ??= makeTemplate()), dataDir, { recursive: true })
  return dataDir
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deposit-watcher-'))
  const database = await openDatabase(join(folder, 'data'))
  await database.close()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** What a database holds. */
export async function readBooks(database: PGlite): Promise<Books> {
  const select = async (table: string): Promise<string[]> => {
    const { rows } = await database.query<Record<'address' | 'asset' | 'amount', string>>(
      `SELECT address, asset, amount FROM ${table}`,
    )
    return rows.map(({ address, asset, amount }) => `${address} ${asset} ${amount}`).sort()
  }
  return { credits: await select('credits'), balances: await select('balances') }
}

/** Starts the worker as `main.ts` does, but for the clock. */
export async function startWatcher(
  settings: Pick<Settings, 'dataDir'> & { url: string } & Partial<Settings>,
): Promise<RunningWatcher> {
  const { url, ...given } = settings
  const clock = createManualClock()
  const worker = WatcherModule.register(
    {
      addresses: [ALICE, BOB],
      jettonMaster: MASTER,
      watchFrom: new Date(START * 1000),
      pollMs: POLL_MS,
      transport: { baseUrl: url, rps: Infinity },
      ...given,
    },
    clock,
  )
  const app = await NestFactory.createApplicationContext(worker, {
    abortOnError: false,
    logger: false,
  })
  const ended = app.get(DepositWatcher).run()
  // Whoever waits for the end gets it; until then nobody does.
  ended.catch(() => undefined)
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => (stopped ??= app.close())
  onTestFinished(stop)

  // Native coin and the jetton have a loop each, for every fifty addresses.
  const loops = 2 * Math.ceil((given.addresses ?? [ALICE, BOB]).length / 50)
  const isResting = (): boolean =>
    clock.pendingTimers().filter(({ delayMs }) => delayMs === POLL_MS).length === loops
  const isWait = ({ delayMs }: PendingTimer): boolean => !GUARDS_MS.includes(delayMs)
  const rest = async (): Promise<void> => clock.waitForTimer(isResting)
  const books = async (): Promise<Books> => readBooks(app.get(PGlite))
  return {
    clock,
    rest,
    async poll() {
      await rest()
      await clock.advance(POLL_MS)
      await rest()
    },
    async passWaitsUntil(credits) {
      while ((await books()).credits.length < credits) {
        await clock.waitForTimer(isWait)
        const next = clock.pendingTimers().find(isWait)
        if (next !== undefined) await clock.advance(next.dueMs - clock.nowMs())
      }
    },
    ended,
    books,
    stop,
  }
}
