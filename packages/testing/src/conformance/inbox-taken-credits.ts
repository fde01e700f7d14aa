import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import { amountsUsed, claim, makeCredit, ORDER, OTHER, usesOf } from './credit-fixtures.js'
import { CALLS } from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const FIRST = { ...ORDER, kind: 'refund', reference: '["refund","1",1]' } as const
const SECOND = { ...FIRST, reference: '["refund","1",2]' }
const MONEY = ['tx:a', 'credit:1']
/** The payment that has lost the race for the order, and the payment that has won it. */
const LOST = { payment: 'tx-1' }
const takesFrom = [{ reference: ORDER.reference, payment: 'tx-0' }]

/** Refunds of money that an order has claimed, and that another payment has completed. */
export function describeTakenCredits(suite: Suite<InboxHarness>): void {
  suite.describe('credits that a refund takes from an order', () => {
    describeTaken(suite)
    describeKept(suite)
    describeReleased(suite)
    describeTakingRaces(suite)
  })
}

function describeTaken({ test }: Suite<InboxHarness>): void {
  test('S119 ends the use of the order, and its claims on transactions', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, MONEY, LOST), true)
    assert.equal(await claim(inbox, MONEY, FIRST), false)
    for (let count = 0; count < 2; count++) {
      assert.equal(await claim(inbox, MONEY, { ...FIRST, takesFrom }), true)
    }
    const { kind, ...owner } = FIRST
    const use = { kind, ...owner, rawAmount: 5n, payment: undefined }
    assert.deepEqual(await usesOf(inbox, '1'), [use])
    assert.deepEqual(await inbox.credits.listOf(ORDER), [])
    assert.equal(await claim(inbox, ['credit:1'], LOST), false)
    assert.equal(await claim(inbox, ['tx:a']), false)
    assert.equal(await claim(inbox, ['credit:2'], LOST), true)
  })
  test('S119 takes a part that the order has used, and all where it was settled in another way', async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, ['credit:1'], { ...LOST, usedAmount: 2n }), true)
    assert.equal(await claim(inbox, ['credit:2'], { payment: 'tx-2' }), true)
    const settled = [{ reference: ORDER.reference }]
    assert.equal(await claim(inbox, ['credit:1'], { ...FIRST, takesFrom }), true)
    assert.equal(await claim(inbox, ['credit:2'], { ...FIRST, takesFrom: settled }), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['refund 5'])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '2')), ['refund 5'])
  })
  test('S119 takes money that is not stored yet', async ({ inbox }) => {
    assert.equal(await claim(inbox, ['tx:a', 'credit:1'], { usedAmount: 2n }), true)
    assert.equal(await claim(inbox, ['tx:b', 'credit:2']), true)
    assert.equal(await claim(inbox, ['tx:c']), true)
    const wanted = ['tx:a', 'tx:b', 'tx:c', 'credit:1', 'credit:2', 'credit:3']
    assert.equal(await claim(inbox, wanted, { ...FIRST, takesFrom }), true)
    for (const id of ['1', '2', '3']) {
      await inbox.credits.store([makeCredit({ id })])
      assert.deepEqual(amountsUsed(await usesOf(inbox, id)), ['refund 5'])
    }
    assert.equal(await claim(inbox, ['tx:c']), false)
  })
}

function describeKept({ test }: Suite<InboxHarness>): void {
  test('S119 leaves the credit of the payment that completed the order', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, MONEY, { payment: 'tx-0', usedAmount: 2n }), true)
    assert.equal(await claim(inbox, ['credit:2'], LOST), true)
    const wanted = [...MONEY, 'credit:2']
    assert.equal(await claim(inbox, wanted, { ...FIRST, takesFrom }), false)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 2'])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '2')), ['order 5'])
    assert.equal(await claim(inbox, MONEY), true)
  })
  test('S119 takes nothing from other orders, merchants, names and refunds', async ({ inbox }) => {
    const ids = ['1', '2', '3', '4', '5']
    await inbox.credits.store(ids.map((id) => makeCredit({ id })))
    const owners = [
      { reference: 'order-2' },
      { merchant: 'shop-a' },
      OTHER,
      { kind: 'refund' } as const,
    ]
    for (const [index, owner] of owners.entries()) {
      assert.equal(await claim(inbox, [`credit:${index + 1}`], owner), true)
    }
    assert.equal(await claim(inbox, ['tx:a'], { reference: 'order-2' }), true)
    assert.equal(await claim(inbox, ['tx:b', 'credit:5']), true)
    for (const other of ['tx:a', 'credit:1', 'credit:2', 'credit:3', 'credit:4']) {
      const wanted = ['tx:b', 'credit:5', other]
      assert.equal(await claim(inbox, wanted, { ...FIRST, takesFrom }), false, other)
    }
    assert.deepEqual(amountsUsed(await usesOf(inbox, '5')), ['order 5'])
    assert.equal(await claim(inbox, ['tx:b', 'credit:5']), true)
  })
}

function describeReleased({ test }: Suite<InboxHarness>): void {
  test('S137 frees what it has taken when it is released, for another order', async (harness) => {
    const { inbox } = harness
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, MONEY, LOST), true)
    assert.equal(await claim(inbox, MONEY, { ...FIRST, takesFrom }), true)
    await inbox.credits.release({ ...FIRST, credit: '1' })
    const [released] = await inbox.credits.find({ ids: ['1'] })
    assert.deepEqual([released?.uses, released?.releasedRefunds], [[], 1])
    assert.equal(await claim(inbox, ['credit:1'], LOST), false)
    assert.equal(await claim(inbox, MONEY, { reference: 'order-2' }), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
  })
  test('S137 frees what it has taken when it is released, for the next refund', async (harness) => {
    const { inbox } = harness
    assert.equal(await claim(inbox, MONEY, LOST), true)
    assert.equal(await claim(inbox, MONEY, { ...FIRST, takesFrom }), true)
    await inbox.credits.release({ ...FIRST, credit: '1' })
    assert.equal(await claim(inbox, MONEY, { ...FIRST, takesFrom }), false)
    assert.equal(await claim(inbox, MONEY, { ...SECOND, takesFrom }), true)
    await inbox.credits.store([makeCredit()])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['refund 5'])
  })
}

function describeTakingRaces({ test }: Suite<InboxHarness>): void {
  test(`S119 gives the money of an order to one of ${CALLS} concurrent refunds`, async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    const wanted = [...MONEY, 'credit:2']
    assert.equal(await claim(inbox, wanted, LOST), true)
    const claims = await callConcurrently(CALLS, (index) => {
      const payments = index % 2 === 0 ? wanted : wanted.toReversed()
      return claim(inbox, payments, { ...FIRST, reference: `["refund","1",${index}]`, takesFrom })
    })
    assert.equal(claims.filter(Boolean).length, 1)
    for (const id of ['1', '2']) {
      const uses = await usesOf(inbox, id)
      assert.deepEqual(
        uses.map(({ reference }) => reference),
        [`["refund","1",${claims.indexOf(true)}]`],
      )
    }
  })
  test(`S119 uses a credit once in ${CALLS} concurrent claims of an order and its refund`, async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    const claims = await callConcurrently(CALLS, (index) =>
      index % 2 === 0
        ? claim(inbox, MONEY, { ...FIRST, takesFrom })
        : claim(inbox, MONEY, { ...LOST, usedAmount: 2n }),
    )
    const isRefunded = claims.some((isClaimed, index) => isClaimed && index % 2 === 0)
    const uses = isRefunded ? ['refund 5'] : ['order 2']
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), uses)
    assert.equal(await claim(inbox, MONEY, { ...FIRST, takesFrom }), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['refund 5'])
  })
  test(`S119 takes no credit that is linked to the payment of its order, in ${CALLS} concurrent calls`, async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, MONEY), true)
    const claims = await callConcurrently(CALLS, (index) =>
      index % 2 === 0
        ? claim(inbox, MONEY, { payment: 'tx-0' })
        : claim(inbox, MONEY, { ...FIRST, reference: `["refund","1",${index}]`, takesFrom }),
    )
    const [isLinked = false, isRefunded = false] = [0, 1].map((kind) =>
      claims.some((isClaimed, index) => isClaimed && index % 2 === kind),
    )
    assert.notEqual(isLinked, isRefunded)
    assert.deepEqual(
      (await usesOf(inbox, '1')).map(({ kind, payment }) => [kind, payment]),
      [isLinked ? ['order', 'tx-0'] : ['refund', undefined]],
    )
  })
}
