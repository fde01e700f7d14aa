import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalAddress } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { openDatabase, type Queryable } from '@tonplug/postgres'
import { createFakeClock } from '@tonplug/testing'
import type { FakeClock, PendingTimer } from '@tonplug/testing'
import { onTestFinished, vi } from 'vitest'
import { watchDeposits } from '../src/deposit-watcher.js'
import { openLedger } from '../src/ledger.js'
import { addressOf } from './chain.js'

/** Its doubles differ from all timeouts of a request, so that poll timers can be recognized. */
const POLL_MS = 7000
/** The time of the index at the start of a test, and of the first deposits. */
export const START = 1_785_330_000
export const MASTER = addressOf('jetton')
export const ALICE = addressOf('alice')
export const BOB = addressOf('bob')

/** Timeouts of an attempt, of a call, and of the question for a jetton wallet. */
const REQUEST_TIMEOUTS_MS = [10_000, 60_000, 3_600_000]

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
  const parent = await mkdtemp(join(tmpdir(), 'deposit-watcher-'))
  const folder = join(parent, 'data')
  const { db, close } = await openDatabase({ folder })
  await openLedger(db)
  await close()
  process.once('exit', () => rmSync(parent, { recursive: true, force: true }))
  return folder
}

/** Reads the credits and balances of a database. */
export async function readLedger(db: Queryable): Promise<LedgerState> {
  const select = async (table: string): Promise<string[]> => {
    const { rows } = await db.query(`SELECT address, asset, amount FROM ${table}`)
    // The columns of both tables.
    return (rows as Record<'address' | 'asset' | 'amount', string>[])
      .map(({ address, asset, amount }) => `${address} ${asset} ${amount}`)
      .sort()
  }
  return { credits: await select('credits'), balances: await select('balances') }
}

/** Starts the worker as `main.ts` does, with a fake clock. */
export async function startWatcher({
  url,
  dataDir,
  addresses = [ALICE, BOB],
}: {
  url: string
  dataDir: string
  addresses?: string[]
}): Promise<RunningWatcher> {
  vi.spyOn(console, 'log').mockReturnValue(undefined)
  const clock = createFakeClock()
  const { db, close } = await openDatabase({ folder: dataDir })
  const shutdown = new AbortController()
  const ended = watchDeposits({
    v3: createV3Client({ baseUrl: url, rps: Infinity, clock }),
    ledger: await openLedger(db),
    settings: {
      DEPOSIT_ADDRESSES: addresses.map(canonicalAddress),
      JETTON_MASTER: canonicalAddress(MASTER),
      WATCH_FROM: new Date(START * 1000),
      POLL_MS,
    },
    signal: shutdown.signal,
  })
  // Tests may await it later.
  ended.catch(() => undefined)
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    shutdown.abort()
    await ended.catch(() => undefined)
    await (stopped ??= close())
  }
  onTestFinished(stop)

  // Every twenty-five addresses have a loop.
  const loops = Math.ceil(addresses.length / 25)
  const isIdle = (): boolean =>
    clock.pendingTimers().filter(({ delayMs }) => delayMs === POLL_MS).length === loops
  const isDelay = ({ delayMs }: PendingTimer): boolean => !REQUEST_TIMEOUTS_MS.includes(delayMs)
  const waitUntilIdle = async (): Promise<void> => clock.waitForTimer(isIdle)
  const ledger = async (): Promise<LedgerState> => readLedger(db)
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
