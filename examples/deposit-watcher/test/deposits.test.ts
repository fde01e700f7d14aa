import { canonicalAddress } from '@tonplug/core'
import { expect, it } from 'vitest'
import * as chain from './chain.js'
import { startFakeIndex } from './fake-index.js'
import type { FakeIndex } from './fake-index.js'
import { ALICE, BOB, makeDatabase, MASTER, START, startWatcher } from './watcher.js'

// PGlite takes a second to open, more on a busy machine.
const UNWATCHED = chain.addressOf('unwatched')
const alice = canonicalAddress(ALICE)
const bob = canonicalAddress(BOB)
const master = canonicalAddress(MASTER)

const sample = (id: number, to: string, amount: bigint): chain.SampleTransfer => ({
  id,
  to,
  amount,
  now: START + id,
})

/** Returns the credits of a watcher after its first poll. */
async function creditsOf(
  index: FakeIndex,
  options: { addresses?: string[]; dataDir?: string } = {},
): Promise<string[]> {
  const dataDir = options.dataDir ?? (await makeDatabase())
  const watcher = await startWatcher({ ...options, url: index.url, dataDir })
  await watcher.waitUntilIdle()
  const { credits } = await watcher.ledger()
  await watcher.stop()
  return credits
}

it('credits both assets of all addresses with every digit, and ignores other transfers', async () => {
  const index = await startFakeIndex(START + 100)
  // The watcher also receives transfers that are not deposits.
  index.isFilterIgnored = true
  index.addTransaction(chain.toUndeployed(sample(1, ALICE, 1n)))
  index.addTransaction(chain.toContract(sample(2, ALICE, 2n ** 63n)))
  index.addTransaction(chain.toUndeployed(sample(3, BOB, 3n)))
  index.addTransaction(chain.toUndeployed(sample(4, UNWATCHED, 4n)))
  index.addTransaction(chain.bounced(sample(5, ALICE, 5n)))
  index.addTransaction(chain.jettonArrival(sample(6, BOB, 2n ** 119n), MASTER))
  index.addTransaction(chain.jettonArrival(sample(7, BOB, 2n ** 119n), MASTER))
  index.addTransaction(chain.jettonArrival(sample(8, BOB, 8n), chain.addressOf('other jetton')))
  // Sent by the wallet that received them.
  index.addTransaction(chain.excesses({ ...sample(9, chain.jettonWalletOf(BOB, MASTER), 9n) }))
  const watcher = await startWatcher({ url: index.url, dataDir: await makeDatabase() })
  await watcher.waitUntilIdle()

  expect(await watcher.ledger()).toEqual({
    credits: [
      `${alice} TON 1`,
      `${alice} TON ${2n ** 63n}`,
      `${bob} TON 3`,
      `${bob} ${master} ${2n ** 119n}`,
      `${bob} ${master} ${2n ** 119n}`,
    ].sort(),
    balances: [
      `${alice} TON ${2n ** 63n + 1n}`,
      `${bob} TON 3`,
      `${bob} ${master} ${2n ** 120n}`,
    ].sort(),
  })
})

it('requests at most twenty-five addresses with their jetton wallets at once, and credits all of them', async () => {
  const addresses = Array.from({ length: 120 }, (_, id) => chain.addressOf(`customer ${id}`))
  const addressCounts: number[] = []
  const index = await startFakeIndex(START + 1000, {
    onRequest: ({ query }) => void addressCounts.push(query.getAll('account').length),
  })
  for (const [id, to] of addresses.entries()) {
    index.addTransaction(chain.toUndeployed(sample(id, to, 1n)))
  }

  const expected = addresses.map((address) => `${canonicalAddress(address)} TON 1`)
  expect(await creditsOf(index, { addresses })).toEqual(expected.sort())
  expect(Math.max(...addressCounts)).toBe(50)
})

it('starts at WATCH_FROM, resumes from its cursor, and reads all again for another list of addresses', async () => {
  const starts: (string | null)[] = []
  const index = await startFakeIndex(START + 1000, {
    onRequest: ({ path, query }) => {
      if (path === '/transactions') starts.push(query.get('start_utime'))
    },
  })
  const dataDir = await makeDatabase()
  index.addTransaction(chain.toUndeployed(sample(-1, ALICE, 9n)))
  index.addTransaction(chain.toUndeployed(sample(1, ALICE, 1n)))
  index.addTransaction(chain.toUndeployed(sample(500, ALICE, 3n)))
  index.addTransaction(chain.toUndeployed(sample(2, BOB, 2n)))
  const alone = [`${alice} TON 1`, `${alice} TON 3`]
  expect(await creditsOf(index, { dataDir, addresses: [ALICE] })).toEqual(alone)
  expect(starts[0]).toBe(String(START))

  starts.length = 0
  // The same address in another format.
  expect(await creditsOf(index, { dataDir, addresses: [alice] })).toEqual(alone)
  expect(Number(starts[0])).toBeGreaterThan(START + 1)

  const both = [...alone, `${bob} TON 2`].sort()
  expect(await creditsOf(index, { dataDir, addresses: [ALICE, BOB] })).toEqual(both)
})
