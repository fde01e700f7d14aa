import { canonicalAddress } from '@tonplug/core'
import { expect, it, vi } from 'vitest'
import * as chain from './chain.js'
import { startIndexStandIn } from './index-stand-in.js'
import type { IndexStandIn } from './index-stand-in.js'
import { ALICE, BOB, makeDatabase, MASTER, START, startWatcher } from './watcher.js'

// PGlite takes a second to open, more on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const STRANGER = chain.addressOf('stranger')
const alice = canonicalAddress(ALICE)
const bob = canonicalAddress(BOB)
const master = canonicalAddress(MASTER)

const sending = (id: number, to: string, amount: bigint): chain.Sending => ({
  id,
  to,
  amount,
  now: START + id,
})

/** What a watcher has credited when it rests for the first time. */
async function creditsOf(
  index: IndexStandIn,
  options: { addresses?: string[]; dataDir?: string } = {},
): Promise<string[]> {
  const dataDir = options.dataDir ?? (await makeDatabase())
  const watcher = await startWatcher({ ...options, url: index.url, dataDir })
  await watcher.rest()
  const { credits } = await watcher.books()
  await watcher.stop()
  return credits
}

it('credits both assets of all addresses to the last digit, and nothing else', async () => {
  const index = await startIndexStandIn(START + 100)
  // What is no deposit comes to the watcher as well.
  index.isFilterIgnored = true
  index.show(chain.toUndeployed(sending(1, ALICE, 1n)))
  index.show(chain.toContract(sending(2, ALICE, 2n ** 63n)))
  index.show(chain.toUndeployed(sending(3, BOB, 3n)))
  index.show(chain.toUndeployed(sending(4, STRANGER, 4n)))
  index.show(chain.bounced(sending(5, ALICE, 5n)))
  const arrived = chain.jettonTransfer(sending(6, BOB, 2n ** 119n), MASTER)
  const again = chain.jettonTransfer(sending(7, BOB, 2n ** 119n), MASTER)
  const other = chain.jettonTransfer(sending(8, BOB, 8n), chain.addressOf('other jetton'))
  for (const { row, sent, received } of [arrived, again, other]) {
    index.list(row)
    index.show({ ...sent, account: STRANGER })
    index.show({ ...received, account: STRANGER })
  }
  const watcher = await startWatcher({ url: index.url, dataDir: await makeDatabase() })
  await watcher.rest()

  expect(await watcher.books()).toEqual({
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

it('asks for fifty addresses at a time, and credits all of them', async () => {
  const addresses = Array.from({ length: 120 }, (_, id) => chain.addressOf(`customer ${id}`))
  const asked: number[] = []
  const index = await startIndexStandIn(START + 1000, {
    onAsked: ({ query }) => void asked.push(query.getAll('account').length),
  })
  for (const [id, to] of addresses.entries()) {
    index.show(chain.toUndeployed(sending(id, to, 1n)))
  }

  const expected = addresses.map((address) => `${canonicalAddress(address)} TON 1`)
  expect(await creditsOf(index, { addresses })).toEqual(expected.sort())
  expect(Math.max(...asked)).toBe(50)
})

it('begins where it is told, goes on where it was, and reads all again for another list', async () => {
  const starts: (string | null)[] = []
  const index = await startIndexStandIn(START + 1000, {
    onAsked: ({ path, query }) => {
      if (path === '/transactions') starts.push(query.get('start_utime'))
    },
  })
  const dataDir = await makeDatabase()
  index.show(chain.toUndeployed(sending(-1, ALICE, 9n)))
  index.show(chain.toUndeployed(sending(1, ALICE, 1n)))
  index.show(chain.toUndeployed(sending(500, ALICE, 3n)))
  index.show(chain.toUndeployed(sending(2, BOB, 2n)))
  const alone = [`${alice} TON 1`, `${alice} TON 3`]
  expect(await creditsOf(index, { dataDir, addresses: [ALICE] })).toEqual(alone)
  expect(starts[0]).toBe(String(START))

  starts.length = 0
  // The same address in another spelling.
  expect(await creditsOf(index, { dataDir, addresses: [alice] })).toEqual(alone)
  expect(Number(starts[0])).toBeGreaterThan(START + 1)

  const both = [...alone, `${bob} TON 2`].sort()
  expect(await creditsOf(index, { dataDir, addresses: [ALICE, BOB] })).toEqual(both)
})
