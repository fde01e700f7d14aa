import { canonicalAddress } from '@tonplug/core'
import { expect, it } from 'vitest'
import * as chain from './chain.js'
import { startFakeIndex } from './fake-index.js'
import type { Fault } from './fake-index.js'
import { ALICE, BOB, makeDatabase, MASTER, START, startWatcher } from './watcher.js'

// PGlite takes a second to open, more on a busy machine.
const alice = canonicalAddress(ALICE)
const bob = canonicalAddress(BOB)
const master = canonicalAddress(MASTER)

it('credits deposits that the index lists late, after newer ones were credited', async () => {
  const index = await startFakeIndex(START + 100)
  const dataDir = await makeDatabase()
  const watcher = await startWatcher({ url: index.url, dataDir })
  index.addTransaction(chain.toUndeployed({ id: 2, to: ALICE, amount: 2n, now: START + 90 }))
  await watcher.poll()
  index.addTransaction(chain.toUndeployed({ id: 1, to: ALICE, amount: 1n, now: START + 50 }))
  // The index stalls, then catches up.
  await watcher.poll()
  index.now += 600
  index.addTransaction(chain.toUndeployed({ id: 3, to: BOB, amount: 3n, now: START + 600 }))
  await watcher.poll()
  const { credits } = await watcher.ledger()
  expect(credits).toEqual([`${alice} TON 1`, `${alice} TON 2`, `${bob} TON 3`].sort())
})

it('credits jettons that are pending when they are final, and others in the meantime', async () => {
  const index = await startFakeIndex(START + 100)
  const dataDir = await makeDatabase()
  const slow = {
    ...chain.jettonArrival({ id: 1, to: ALICE, amount: 1n, now: START + 10 }, MASTER),
    finality: 'pending',
  }
  index.addTransaction(slow)
  index.addTransaction(chain.jettonArrival({ id: 2, to: BOB, amount: 2n, now: START + 20 }, MASTER))
  const early = await startWatcher({ url: index.url, dataDir })
  await early.poll()
  expect((await early.ledger()).credits).toEqual([`${bob} ${master} 2`])
  await early.stop()

  const late = await startWatcher({ url: index.url, dataDir })
  await late.poll()
  expect((await late.ledger()).credits).toEqual([`${bob} ${master} 2`])
  slow.finality = 'finalized'
  await late.poll()
  const both = [`${alice} ${master} 1`, `${bob} ${master} 2`].sort()
  expect(await late.ledger()).toEqual({ credits: both, balances: both })
})

it('waits for Retry-After on every 429, and credits once', async () => {
  let rejections = 15
  const requestedAt: number[] = []
  const limited: Fault = {
    status: 429,
    body: { ok: false, result: 'Ratelimit exceed', code: 429 },
    headers: { 'retry-after': '2' },
  }
  const index = await startFakeIndex(START + 100, {
    onRequest() {
      if (rejections === 0) return undefined
      rejections -= 1
      requestedAt.push(watcher.clock.nowMs())
      return limited
    },
  })
  index.addTransaction(chain.toUndeployed({ id: 1, to: ALICE, amount: 1n, now: START + 10 }))
  index.addTransaction(chain.jettonArrival({ id: 2, to: BOB, amount: 2n, now: START + 20 }, MASTER))
  const dataDir = await makeDatabase()
  const watcher = await startWatcher({ url: index.url, dataDir })
  await watcher.advanceUntilCredited(2)

  const expected = [`${alice} TON 1`, `${bob} ${master} 2`].sort()
  expect(await watcher.ledger()).toEqual({ credits: expected, balances: expected })
  const times = [...new Set(requestedAt)]
  const delays = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(2000)
})

it('reads a page again when the index fails while it lists transactions', async () => {
  let failures = 9
  const index = await startFakeIndex(START + 100, {
    onRequest({ path }) {
      if (path !== '/transactions' || failures-- <= 0) return undefined
      return { status: 500, body: { error: 'timeout: context deadline exceeded' } }
    },
  })
  index.addTransaction(chain.jettonArrival({ id: 1, to: BOB, amount: 1n, now: START + 20 }, MASTER))
  const dataDir = await makeDatabase()
  const watcher = await startWatcher({ url: index.url, dataDir })
  await watcher.advanceUntilCredited(1)

  expect((await watcher.ledger()).credits).toEqual([`${bob} ${master} 1`])
})

it('rejects with the reason when the API key is invalid', async () => {
  const index = await startFakeIndex(START + 100, {
    onRequest: () => ({
      status: 401,
      body: { ok: false, error: 'API key does not exist', code: 401 },
    }),
  })
  const watcher = await startWatcher({ url: index.url, dataDir: await makeDatabase() })

  await expect(watcher.ended).rejects.toThrow('API key does not exist')
})
