import assert from 'node:assert/strict'
import type { CreditPlace, Inbox } from '@tonplug/core'
import { ORDER, OTHER, makeCredit, claim, idsOf, amountsOf } from './credit-fixtures.js'
import { describeCreditUses } from './inbox-credit-uses.js'
import type { InboxHarness } from './inbox-harness.js'
import type { Suite } from './runner.js'

/** The ledger: stored credits, and what they were used for. */
export function describeCredits(suite: Suite<InboxHarness>): void {
  suite.describe('credits', () => {
    describeStored(suite)
    describeLists(suite)
    describePages(suite)
    describeCreditUses(suite)
  })
}

function describeStored({ test }: Suite<InboxHarness>): void {
  test('returns the facts of a stored credit', async ({ inbox }) => {
    const credit = makeCredit({ rawAmount: 2n ** 200n, order: ORDER })
    await inbox.credits.store([credit])
    const [found] = await inbox.credits.find({ ids: [credit.id] })
    assert.ok(found !== undefined)
    const { seenAtMs, uses, ...stored } = found
    assert.deepEqual(stored, credit)
    assert.ok(seenAtMs > 0)
    assert.deepEqual(uses, [])
  })
  test('stores a credit once', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit()])
    await inbox.credits.store([makeCredit({ rawAmount: 7n })])
    assert.deepEqual(amountsOf(await inbox.credits.find({ hashes: ['trace-1'] })), [5n])
    await inbox.credits.store([])
  })
  test('keeps the first order that a credit names', async ({ inbox }) => {
    await inbox.credits.store([makeCredit()])
    await inbox.credits.store([makeCredit({ order: ORDER })])
    await inbox.credits.store([makeCredit({ order: OTHER }), makeCredit()])
    const [found] = await inbox.credits.find({ ids: ['1'] })
    assert.deepEqual(found?.order, ORDER)
  })
  test('finds credits by their transaction, their trace and the transactions that led to them', async (harness) => {
    const { inbox } = harness
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2', txHash: 'tx-2' })])
    const find = async (...hashes: string[]): Promise<string[]> =>
      idsOf(await inbox.credits.find({ hashes }))
    assert.deepEqual(await find('tx-2'), ['2'])
    for (const hash of ['trace-1', 'root', 'step']) assert.deepEqual(await find(hash), ['1', '2'])
    assert.deepEqual(await find('unknown', 'tx-1', 'tx-2'), ['1', '2'])
    assert.deepEqual(await find('', 'message', '1'), [])
    assert.deepEqual(await find(), [])
    assert.deepEqual(idsOf(await inbox.credits.find({ ids: ['2', '3', 'tx-2'] })), ['2'])
  })
}

function describeLists({ test }: Suite<InboxHarness>): void {
  test('lists the credits that name an order or are used by it', async ({ inbox }) => {
    await inbox.credits.store([
      makeCredit({ order: ORDER }),
      makeCredit({ id: '2' }),
      makeCredit({ id: '3', order: OTHER }),
      makeCredit({ id: '4', order: { ...ORDER, merchant: 'shop-a' } }),
      makeCredit({ id: '5' }),
    ])
    assert.equal(await claim(inbox, ['credit:2']), true)
    assert.equal(await claim(inbox, ['credit:5'], { kind: 'refund' }), true)
    assert.deepEqual(idsOf(await inbox.credits.listOf(ORDER)), ['1', '2'])
    assert.deepEqual(idsOf(await inbox.credits.listOf(OTHER)), ['3'])
    assert.deepEqual(await inbox.credits.listOf({ ...ORDER, reference: 'unknown' }), [])
  })
  test('S123 lists the credits of a wallet by account, asset and time', async ({ inbox }) => {
    assert.equal(await claim(inbox, ['credit:9']), true)
    const places = [
      { id: '1', account: 'b', asset: 'TON', utime: 1 },
      { id: '2', account: 'a', asset: 'x', utime: 20 },
      { id: '3', account: 'a', asset: 'x', utime: 3 },
      { id: '5', account: 'a', asset: 'x', utime: 3 },
      { id: '4', account: 'a', asset: 'w', utime: 30 },
    ]
    await inbox.credits.store([
      ...places.map((place) => makeCredit({ ...place, wallet: 'w' })),
      makeCredit({ id: '6', account: 'a', wallet: 'other' }),
    ])
    assert.deepEqual(await readPages(inbox, 'w'), ['4', '3', '5', '2', '1'])
    const after = { id: '', account: 'a', asset: 'x', utime: 4 }
    assert.deepEqual(await readPages(inbox, 'w', after), ['2', '1'])
    assert.deepEqual(await readPages(inbox, 'unknown'), [])
  })
}

/** Returns all credits of a wallet, in pages of two. */
async function readPages({ credits }: Inbox, wallet: string, from?: CreditPlace) {
  const found: string[] = []
  let after = from
  for (;;) {
    const page = await credits.listOfWallet({ wallet, after, limit: 2 })
    found.push(...page.map(({ id }) => id))
    after = page.at(-1)
    if (after === undefined) return found
  }
}

function describePages({ test }: Suite<InboxHarness>): void {
  test('lists the credits of a period by time and id, in pages', async ({ inbox }) => {
    const utimes = { '1': 30, '2': 10, '3': 20, '4': 20, '5': 40 }
    const credits = Object.entries(utimes).map(([id, utime]) => makeCredit({ id, utime }))
    await inbox.credits.store(credits)
    const period = { fromUtime: 20, beforeUtime: 40 }
    const first = await inbox.credits.list({ ...period, limit: 2 })
    assert.deepEqual(
      first.map(({ id }) => id),
      ['3', '4'],
    )
    const second = await inbox.credits.list({ ...period, after: first[1], limit: 2 })
    assert.deepEqual(
      second.map(({ id }) => id),
      ['1'],
    )
    const all = await inbox.credits.list({ fromUtime: 0, limit: 10 })
    assert.deepEqual(
      all.map(({ id }) => id),
      ['2', '3', '4', '1', '5'],
    )
  })
}
