import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NestFactory } from '@nestjs/core'
import { createFakeClock } from '@tonplug/testing'
import type { FakeClock, PendingTimer } from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../src/database.js'
import { DepositWatcher } from '../src/deposit-watcher.js'
import type { Settings } from '../src/settings.js'
import { WatcherModule } from '../src/watcher.module.js'
import { addressOf } from './chain.js'

/** Its doubles differ from all timeouts of a request, so that poll timers can be recognized. */
const POLL_MS = 7000
/** The time of the index at the start of a test, and of the first deposits. */
export const START = 1_785_330_000
export const MASTER = addressOf('jetton')
export const ALICE = addressOf('alice')
export const BOB = addressOf('bob')

/** Default timeouts of an attempt and of a call. */
const REQUEST_TIMEOUTS_MS = [10_000, 60_000]

/** Credits and balances, each as `address asset amount`, sorted. */
export interface LedgerState {
  credits: string[]
  balances: string[]
}

let template: Promise<string> | undefined

/** A watcher in this process, on a fake clock. */
export interface RunningWatcher {
  clock: FakeClock
  /** Resolves when all loops wait for their next poll. */
  waitUntilIdle(): Promise<void>
  /** Advances the clock to the next poll and waits until all loops are idle again. */
  poll(): Promise<void>
  /** Advances the clock from timer to timer, except request timeouts, until this number of deposits was credited. */
  advanceUntilCredited(credits: number): Promise<void>
  /** Rejects with the error that ended the watcher. */
  ended: Promise<void>
  ledger(): Promise<LedgerState>
  stop(): Promise<void>
}

/** Returns a path for a new database. Deleted after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deposit-watcher-'))
  onTestFinished(async () => rm(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** Copies an empty database, because creating one takes seconds. Deleted after the test. */
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

/** Reads the credits and balances of a database. */
export async function readLedger(database: PGlite): Promise<LedgerState> {
  const select = async (table: string): Promise<string[]> => {
    const { rows } = await database.query<Record<'address' | 'asset' | 'amount', string>>(
      `SELECT address, asset, amount FROM ${table}`,
    )
    return rows.map(({ address, asset, amount }) => `${address} ${asset} ${amount}`).sort()
  }
  return { credits: await select('credits'), balances: await select('balances') }
}

/** Starts the worker as `main.ts` does, with a fake clock. */
export async function startWatcher(
  settings: Pick<Settings, 'dataDir'> & { url: string } & Partial<Settings>,
): Promise<RunningWatcher> {
  const { url, ...otherSettings } = settings
  const clock = createFakeClock()
  const worker = WatcherModule.register(
    {
      addresses: [ALICE, BOB],
      jettonMaster: MASTER,
      watchFrom: new Date(START * 1000),
      pollMs: POLL_MS,
      transport: { baseUrl: url, rps: Infinity },
      ...otherSettings,
    },
    clock,
  )
  const app = await NestFactory.createApplicationContext(worker, {
    abortOnError: false,
    logger: false,
  })
  const ended = app.get(DepositWatcher).run()
  // Tests may await it later.
  ended.catch(() => undefined)
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => (stopped ??= app.close())
  onTestFinished(stop)

  // Native coin and the jetton have a loop each, for every fifty addresses.
  const loops = 2 * Math.ceil((otherSettings.addresses ?? [ALICE, BOB]).length / 50)
  const isIdle = (): boolean =>
    clock.pendingTimers().filter(({ delayMs }) => delayMs === POLL_MS).length === loops
  const isDelay = ({ delayMs }: PendingTimer): boolean => !REQUEST_TIMEOUTS_MS.includes(delayMs)
  const waitUntilIdle = async (): Promise<void> => clock.waitForTimer(isIdle)
  const ledger = async (): Promise<LedgerState> => readLedger(app.get(PGlite))
  return {
    clock,
    waitUntilIdle,
    async poll() {
      await waitUntilIdle()
      await clock.advance(POLL_MS)
      await waitUntilIdle()
    },
    async advanceUntilCredited(credits) {
      while ((await ledger()).credits.length < credits) {
        await clock.waitForTimer(isDelay)
        const next = clock.pendingTimers().find(isDelay)
        if (next !== undefined) await clock.advance(next.dueMs - clock.nowMs())
      }
    },
    ended,
    ledger,
    stop,
  }
}
