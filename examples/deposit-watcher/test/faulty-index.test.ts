import { canonicalAddress } from '@tonplug/core'
import { expect, it, vi } from 'vitest'
import * as chain from './chain.js'
import { startIndexStandIn } from './index-stand-in.js'
import type { Fault } from './index-stand-in.js'
import { ALICE, BOB, makeDatabase, MASTER, START, startWatcher } from './watcher.js'

// PGlite takes a second to open, more on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const alice = canonicalAddress(ALICE)
const bob = canonicalAddress(BOB)
const master = canonicalAddress(MASTER)

it('credits what the index shows late, when newer deposits have been credited', async () => {
  const index = await startIndexStandIn(START + 100)
  const dataDir = await makeDatabase()
  const watcher = await startWatcher({ url: index.url, dataDir })
  index.show(chain.toUndeployed({ id: 2, to: ALICE, amount: 2n, now: START + 90 }))
  await watcher.poll()
  index.show(chain.toUndeployed({ id: 1, to: ALICE, amount: 1n, now: START + 50 }))
  // The index stands still, then catches up.
  await watcher.poll()
  index.now += 600
  index.show(chain.toUndeployed({ id: 3, to: BOB, amount: 3n, now: START + 600 }))
  await watcher.poll()
  const { credits } = await watcher.books()
  expect(credits).toEqual([`${alice} TON 1`, `${alice} TON 2`, `${bob} TON 3`].sort())
})

it('waits for jettons that are on their way, and credits others meanwhile', async () => {
  const index = await startIndexStandIn(START + 100)
  const dataDir = await makeDatabase()
  const slow = chain.jettonTransfer({ id: 1, to: ALICE, amount: 1n, now: START + 10 }, MASTER)
  const quick = chain.jettonTransfer({ id: 2, to: BOB, amount: 2n, now: START + 20 }, MASTER)
  for (const { row, sent } of [slow, quick]) {
    index.list(row)
    index.show(sent)
  }
  index.show(quick.received)
  const early = await startWatcher({ url: index.url, dataDir })
  await early.poll()
  expect((await early.books()).credits).toEqual([`${bob} ${master} 2`])
  await early.stop()

  const late = await startWatcher({ url: index.url, dataDir })
  const forecast = { ...slow.received, finality: 'pending' }
  index.show(forecast)
  await late.poll()
  forecast.finality = 'finalized'
  await late.poll()
  const both = [`${alice} ${master} 1`, `${bob} ${master} 2`].sort()
  expect(await late.books()).toEqual({ credits: both, balances: both })
})

it('sits out a storm of 429, asks no sooner than it was told, and credits once', async () => {
  let refusals = 15
  const askedAt: number[] = []
  const limited: Fault = {
    status: 429,
    body: { ok: false, result: 'Ratelimit exceed', code: 429 },
    headers: { 'retry-after': '2' },
  }
  const index = await startIndexStandIn(START + 100, {
    onAsked() {
      if (refusals === 0) return undefined
      refusals -= 1
      askedAt.push(watcher.clock.nowMs())
      return limited
    },
  })
  index.show(chain.toUndeployed({ id: 1, to: ALICE, amount: 1n, now: START + 10 }))
  const transfer = chain.jettonTransfer({ id: 2, to: BOB, amount: 2n, now: START + 20 }, MASTER)
  index.list(transfer.row)
  index.show(transfer.sent)
  index.show(transfer.received)
  const dataDir = await makeDatabase()
  const watcher = await startWatcher({ url: index.url, dataDir })
  await watcher.passWaitsUntil(2)

  const expected = [`${alice} TON 1`, `${bob} ${master} 2`].sort()
  expect(await watcher.books()).toEqual({ credits: expected, balances: expected })
  const moments = [...new Set(askedAt)]
  const pauses = moments.slice(1).map((moment, i) => moment - (moments[i] ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(2000)
})

it('reads a page again when the index fails while the jettons are looked for', async () => {
  let failures = 9
  const index = await startIndexStandIn(START + 100, {
    onAsked({ path }) {
      if (path !== '/transactionsByMessage' || failures-- <= 0) return undefined
      return { status: 500, body: { error: 'timeout: context deadline exceeded' } }
    },
  })
  const transfer = chain.jettonTransfer({ id: 1, to: BOB, amount: 1n, now: START + 20 }, MASTER)
  index.list(transfer.row)
  index.show(transfer.sent)
  index.show(transfer.received)
  const dataDir = await makeDatabase()
  const watcher = await startWatcher({ url: index.url, dataDir })
  await watcher.passWaitsUntil(1)

  expect((await watcher.books()).credits).toEqual([`${bob} ${master} 1`])
})

it('ends with the reason when the API key is refused', async () => {
  const index = await startIndexStandIn(START + 100, {
    onAsked: () => ({
      status: 401,
      body: { ok: false, error: 'API key does not exist', code: 401 },
    }),
  })
  const watcher = await startWatcher({ url: index.url, dataDir: await makeDatabase() })

  await expect(watcher.ended).rejects.toThrow('API key does not exist')
})
