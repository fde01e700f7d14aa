import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import { CALLS, MARGIN_MS, NAME, storeDecided } from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

/** claimPayments: a payment completes one order of a merchant; a credit one of all. */
export function describePayments(suite: Suite<InboxHarness>): void {
  suite.describe('claimPayments', () => {
    describeClaims(suite)
    describeSeparation(suite)
    describeCredits(suite)
    describeRaces(suite)
  })
}

function describeClaims({ test }: Suite<InboxHarness>): void {
  test('S82 lets the first order claim a payment, and no other order after that', async (harness) => {
    const { inbox } = harness
    assert.equal(await claim(inbox, 'order-1 💎', ['tx:a']), true)
    assert.equal(await claim(inbox, 'order-2', ['tx:a']), false)
    assert.equal(await claim(inbox, 'order-1 💎', ['tx:a']), true)
    assert.equal(await claim(inbox, 'order-2', ['tx:b']), true)
  })
  test('S82 claims all payments or none', async ({ inbox }) => {
    assert.equal(await claim(inbox, 'order-1', ['tx:a', 'tx:b']), true)
    assert.equal(await claim(inbox, 'order-2', ['tx:0', 'tx:b', 'tx:c']), false)
    assert.equal(await claim(inbox, 'order-3', ['tx:c', 'tx:0']), true, 'they are free')
    assert.equal(await claim(inbox, 'order-1', ['tx:b', 'tx:d']), true, 'one more')
    assert.equal(await claim(inbox, 'order-4', ['tx:d']), false)
  })
  test('returns true for no payments, and for one that is listed twice', async ({ inbox }) => {
    assert.equal(await claim(inbox, 'order-1', []), true)
    assert.equal(await claim(inbox, 'order-1', ['tx:a', 'tx:a']), true)
    assert.equal(await claim(inbox, 'order-2', ['tx:a']), false)
  })
  test('keeps the claim when the report is deleted', async ({ inbox, advance }) => {
    const { id } = await storeDecided(inbox)
    await claim(inbox, 'order-1', ['tx:a'])
    await advance(2 * MARGIN_MS)
    await inbox.reports.forget({ name: NAME, olderThanMs: MARGIN_MS, limit: 10 })
    assert.equal(await inbox.reports.find(id), null)
    assert.equal(await claim(inbox, 'order-2', ['tx:a']), false)
  })
}

function describeSeparation({ test }: Suite<InboxHarness>): void {
  test('S65 lets another merchant claim the same payment', async ({ inbox }) => {
    const query = { name: NAME, payments: ['tx:a'], reference: 'order-1' }
    assert.equal(await inbox.credits.claim({ ...query, merchant: 'shop-a' }), true)
    assert.equal(await inbox.credits.claim({ ...query, merchant: 'shop-b' }), true)
    const other = { ...query, reference: 'order-2' }
    assert.equal(await inbox.credits.claim({ ...other, merchant: 'shop-a' }), false)
    assert.equal(await inbox.credits.claim({ ...other, merchant: '' }), true)
  })
  test('S60 lets another name claim the same payment', async ({ inbox }) => {
    const query = { payments: ['tx:a'], merchant: '' }
    await inbox.credits.claim({ ...query, name: 'one', reference: 'order-1' })
    const other = { ...query, name: 'two', reference: 'order-2' }
    assert.equal(await inbox.credits.claim(other), true)
    assert.equal(await inbox.credits.claim({ ...other, reference: 'order-1' }), false)
  })
}

function describeCredits({ test }: Suite<InboxHarness>): void {
  const CREDIT = 'credit:0123456789abcdef'
  const owners = [
    { name: 'one', merchant: '', reference: 'order-1' },
    { name: 'one', merchant: 'shop-a', reference: 'order-1' },
    { name: 'two', merchant: '', reference: 'order-1' },
    { name: 'two', merchant: '', reference: 'order-2' },
  ]
  test('S119 lets one order of all names and merchants claim a credit', async ({ inbox }) => {
    for (const [index, owner] of [...owners, ...owners].entries()) {
      const isFree = await inbox.credits.claim({ ...owner, payments: [CREDIT] })
      assert.equal(isFree, index % owners.length === 0, JSON.stringify(owner))
    }
  })
  test('S119 claims nothing beside a credit that another name has claimed', async ({ inbox }) => {
    const [first, , other] = owners
    assert.ok(first !== undefined && other !== undefined)
    assert.equal(await inbox.credits.claim({ ...first, payments: [CREDIT] }), true)
    assert.equal(await inbox.credits.claim({ ...other, payments: ['tx:a', CREDIT] }), false)
    const free = { ...other, reference: 'order-3', payments: ['tx:a'] }
    assert.equal(await inbox.credits.claim(free), true)
  })
  test(`S119 lets one of ${CALLS} names claim a credit concurrently`, async ({ inbox }) => {
    const claims = await callConcurrently(CALLS, (index) =>
      inbox.credits.claim({
        name: `name-${index}`,
        merchant: '',
        reference: 'order-1',
        payments: [`tx:${index}`, CREDIT],
      }),
    )
    assert.equal(claims.filter(Boolean).length, 1)
  })
}

function describeRaces({ test }: Suite<InboxHarness>): void {
  test(`S82 lets one of ${CALLS} orders claim a payment concurrently`, async ({ inbox }) => {
    const claims = await callConcurrently(CALLS, (index) =>
      claim(inbox, `order-${index}`, ['tx:a']),
    )
    assert.equal(claims.filter(Boolean).length, 1)
  })
  test(`S82 lets one of ${CALLS} orders claim two payments that they name in different order`, async (harness) => {
    const { inbox } = harness
    const claims = await callConcurrently(CALLS, (index) =>
      claim(inbox, `order-${index}`, index % 2 === 0 ? ['tx:a', 'tx:b'] : ['tx:b', 'tx:a']),
    )
    assert.equal(claims.filter(Boolean).length, 1)
    const winner = `order-${claims.indexOf(true)}`
    assert.equal(await claim(inbox, winner, ['tx:a', 'tx:b']), true)
  })
}

function claim(inbox: Inbox, reference: string, payments: readonly string[]): Promise<boolean> {
  return inbox.credits.claim({ name: NAME, merchant: '', reference, payments })
}
