import assert from 'node:assert/strict'
import { ORDER, OTHER, makeCredit, claim, usesOf, amountsUsed } from './credit-fixtures.js'
import { CALLS, MARGIN_MS, NAME, storeDecided } from './inbox-fixtures.js'
import type { InboxHarness } from './inbox-harness.js'
import { callConcurrently, type Suite } from './runner.js'

/** Uses of credits: for orders, for refunds, and as parts of a price. */
export function describeCreditUses(suite: Suite<InboxHarness>): void {
  describeUses(suite)
  describeRefunds(suite)
  describeReleases(suite)
  describeParts(suite)
  describeLinks(suite)
  describeCreditRaces(suite)
}

function describeUses({ test }: Suite<InboxHarness>): void {
  test('S119 records what a credit was used for, once', async ({ inbox }) => {
    await inbox.credits.store([makeCredit()])
    for (const payment of [undefined, 'tx-1', undefined]) {
      assert.equal(await claim(inbox, ['tx:a', 'credit:1', 'credit:1'], { payment }), true)
    }
    const use = { ...ORDER, kind: 'order', rawAmount: 5n, payment: 'tx-1' }
    assert.deepEqual(await usesOf(inbox, '1'), [use])
  })
  test('S119 records the use of a credit that is stored later', async ({ inbox }) => {
    assert.equal(await claim(inbox, ['credit:1']), true)
    assert.deepEqual(await inbox.credits.find({ ids: ['1'] }), [])
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, ['credit:1'], OTHER), false)
    assert.equal(await claim(inbox, ['credit:1'], { ...OTHER, kind: 'refund' }), false)
    assert.equal(await claim(inbox, ['credit:1']), true)
    const [use] = await usesOf(inbox, '1')
    assert.equal(use?.rawAmount, 5n)
  })
  test('S119 keeps the uses of a credit when the report is deleted', async ({ inbox, advance }) => {
    await inbox.credits.store([makeCredit({ order: ORDER })])
    const { id } = await storeDecided(inbox, { payments: ['credit:1'] })
    await claim(inbox, ['credit:1'])
    await advance(2 * MARGIN_MS)
    await inbox.reports.forget({ name: NAME, olderThanMs: MARGIN_MS, limit: 10 })
    assert.equal(await inbox.reports.find(id), null)
    assert.equal((await inbox.credits.listOf(ORDER))[0]?.uses.length, 1)
  })
}

function describeRefunds({ test }: Suite<InboxHarness>): void {
  test('S119 gives a credit to an order or to a refund', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, ['credit:1'], { kind: 'refund' }), true)
    assert.equal(await claim(inbox, ['credit:1']), false)
    assert.equal(await claim(inbox, ['credit:1'], { kind: 'refund' }), true)
    assert.equal(await claim(inbox, ['credit:2']), true)
    assert.equal(await claim(inbox, ['credit:2'], { kind: 'refund' }), false)
    assert.deepEqual(await usesOf(inbox, '1'), [
      { ...ORDER, kind: 'refund', rawAmount: 5n, payment: undefined },
    ])
  })
}

function describeReleases({ test }: Suite<InboxHarness>): void {
  const first = { ...ORDER, reference: '["refund","1",1]' }
  const second = { ...ORDER, reference: '["refund","1",2]' }
  const payments = ['tx:a', 'credit:1']

  test('S137 frees what a released refund claimed, for an order', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, payments, { ...first, kind: 'refund' }), true)
    assert.equal(await claim(inbox, payments), false)
    for (let count = 0; count < 2; count++) await inbox.credits.release({ ...first, credit: '1' })
    const [released, other] = await inbox.credits.find({ ids: ['1', '2'] })
    assert.deepEqual([released?.uses, released?.releasedRefunds], [[], 1])
    assert.equal(other?.releasedRefunds, undefined)
    assert.equal(await claim(inbox, payments, { payment: 'tx-1' }), true)
    assert.equal(await claim(inbox, payments, { ...second, kind: 'refund' }), false)
    await inbox.credits.release({ ...first, credit: '1' })
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
  })
  test('S137 claims nothing for a released refund, and again for the next one', async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, payments, { ...first, kind: 'refund' }), true)
    await inbox.credits.release({ ...first, credit: '1' })
    assert.equal(await claim(inbox, payments, { ...first, kind: 'refund' }), false)
    assert.equal(await claim(inbox, payments, { ...second, kind: 'refund' }), true)
    await inbox.credits.release({ ...first, credit: '1' })
    assert.equal(await claim(inbox, payments), false)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['refund 5'])
  })
  test('S119 releases the lost use of an order, for that order and others', async ({ inbox }) => {
    await inbox.credits.store([makeCredit()])
    const lost = { ...ORDER, credit: '1', payment: 'tx-1', payments: ['tx:a'] }
    const other = { ...ORDER, reference: 'order-2' }
    assert.equal(await claim(inbox, payments, { payment: 'tx-1' }), true)
    await inbox.credits.release({ ...lost, payment: 'tx-2' })
    await inbox.credits.release({ ...lost, ...other })
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
    for (let count = 0; count < 2; count++) await inbox.credits.release(lost)
    assert.deepEqual(await usesOf(inbox, '1'), [])
    assert.equal(await claim(inbox, payments, { payment: 'tx-1' }), true)
    await inbox.credits.release(lost)
    assert.equal(await claim(inbox, payments, { ...other, payment: 'tx-1' }), true)
    await inbox.credits.release(lost)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
  })
  test('S132 releases the use of an order without a link, unless a payment was linked to it since', async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    const lost = { ...ORDER, credit: '1', payment: undefined, payments: [] }
    assert.equal(await claim(inbox, payments), true)
    await inbox.credits.release(lost)
    assert.deepEqual(await usesOf(inbox, '1'), [])
    for (const payment of [undefined, 'tx-1', undefined]) {
      assert.equal(await claim(inbox, payments, { payment }), true)
    }
    await inbox.credits.release(lost)
    const [use] = await usesOf(inbox, '1')
    assert.equal(use?.payment, 'tx-1')
  })
  test('S137 releases no use of an order, a merchant or another credit', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, ['credit:1']), true)
    assert.equal(await claim(inbox, ['credit:2'], { ...first, kind: 'refund' }), true)
    await inbox.credits.release({ ...ORDER, credit: '1' })
    await inbox.credits.release({ ...first, credit: '1' })
    await inbox.credits.release({ ...first, merchant: 'shop-a', credit: '2' })
    await inbox.credits.release({ ...first, name: 'other', credit: '2' })
    await inbox.credits.release({ ...second, credit: '2' })
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '2')), ['refund 5'])
  })
  test('S137 frees the surplus that a released refund claimed', async ({ inbox }) => {
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, ['credit:1'], { usedAmount: 2n }), true)
    assert.equal(await claim(inbox, ['credit:1'], { ...first, kind: 'refund' }), true)
    await inbox.credits.release({ ...first, credit: '1' })
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 2'])
    assert.equal(await claim(inbox, ['credit:1'], { ...OTHER, usedAmount: 1n }), false)
    assert.equal(await claim(inbox, ['credit:1'], { ...second, kind: 'refund' }), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 2', 'refund 3'])
  })
  test('S137 frees a credit that is stored after the release', async ({ inbox }) => {
    for (const refund of [first, second]) {
      assert.equal(await claim(inbox, payments, { ...refund, kind: 'refund' }), true)
      await inbox.credits.release({ ...refund, credit: '1' })
    }
    await inbox.credits.store([makeCredit()])
    assert.deepEqual(await usesOf(inbox, '1'), [])
    assert.equal(await claim(inbox, payments), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
  })
  test('S137 uses a credit for an order before it is stored and after a release', async (harness) => {
    const { inbox } = harness
    assert.equal(await claim(inbox, payments, { ...first, kind: 'refund' }), true)
    await inbox.credits.release({ ...first, credit: '1' })
    assert.equal(await claim(inbox, payments), true)
    await inbox.credits.store([makeCredit()])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
    assert.equal(await claim(inbox, ['credit:1'], { ...second, kind: 'refund' }), false)
  })
}

function describeParts({ test }: Suite<InboxHarness>): void {
  test('S134 uses the price of credits for an order, and leaves the surplus to one refund', async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' }), makeCredit({ id: '3' })])
    const wanted = ['credit:1', 'credit:2', 'credit:3']
    for (const usedAmount of [7n, 3n, undefined]) {
      assert.equal(await claim(inbox, wanted.slice(0, 2), { usedAmount, payment: 'tx-1' }), true)
    }
    assert.deepEqual(
      [amountsUsed(await usesOf(inbox, '1')), amountsUsed(await usesOf(inbox, '2'))],
      [['order 5'], ['order 2']],
    )
    assert.equal(await claim(inbox, ['credit:2'], { ...OTHER, usedAmount: 1n }), false)
    assert.equal(await claim(inbox, ['credit:1'], { kind: 'refund' }), false)
    const refund = { kind: 'refund', usedAmount: 1n } as const
    for (let count = 0; count < 2; count++) {
      assert.equal(await claim(inbox, ['credit:2'], refund), true)
    }
    assert.equal(await claim(inbox, ['credit:2'], { ...OTHER, kind: 'refund' }), false)
    assert.equal(await claim(inbox, ['credit:2'], OTHER), false)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '2')), ['order 2', 'refund 3'])
  })
  test('S134 keeps the surplus of a credit that is used before it is stored', async ({ inbox }) => {
    assert.equal(await claim(inbox, ['credit:1'], { usedAmount: 2n }), true)
    assert.equal(await claim(inbox, ['credit:1'], { ...OTHER, usedAmount: 1n }), false)
    await inbox.credits.store([makeCredit()])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 2'])
    assert.equal(await claim(inbox, ['credit:1'], { ...OTHER, usedAmount: 1n }), false)
    assert.equal(await claim(inbox, ['credit:1'], { kind: 'refund', usedAmount: 1n }), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 2', 'refund 3'])
    assert.equal(await claim(inbox, ['credit:2'], { usedAmount: 9n }), true)
    await inbox.credits.store([makeCredit({ id: '2' })])
    assert.deepEqual(amountsUsed(await usesOf(inbox, '2')), ['order 5'])
    assert.equal(await claim(inbox, ['credit:2'], { ...OTHER, kind: 'refund' }), false)
  })
  test('S134 uses no credit after the credit that reaches the price', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, ['credit:2', 'credit:1'], { usedAmount: 5n }), true)
    assert.deepEqual([await usesOf(inbox, '1'), (await usesOf(inbox, '2')).length], [[], 1])
    assert.equal(await claim(inbox, ['credit:1'], { ...OTHER, usedAmount: 9n }), true)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 5'])
  })
}

function describeLinks({ test }: Suite<InboxHarness>): void {
  test('S117 links a payment of an order to one credit', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    const payment = 'tx-1'
    assert.equal(await claim(inbox, ['credit:1'], { payment }), true)
    assert.equal(await claim(inbox, ['credit:2'], { payment }), false)
    assert.deepEqual(await usesOf(inbox, '2'), [])
    assert.equal(await claim(inbox, ['credit:1'], { payment }), true)
    assert.equal(await claim(inbox, ['credit:2'], { payment, ...OTHER }), true)
  })
  test('S117 links the hash of a repeated claim, and frees the former one', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, ['credit:1'], { payment: 'tx-1' }), true)
    assert.equal(await claim(inbox, ['credit:1'], { payment: 'tx-0' }), true)
    assert.equal(await claim(inbox, ['credit:2'], { payment: 'tx-0' }), false)
    assert.equal(await claim(inbox, ['credit:2'], { payment: 'tx-1' }), true)
  })
  test('links a payment to several credits that are claimed together', async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' }), makeCredit({ id: '3' })])
    const payments = ['credit:1', 'tx:a', 'credit:2']
    assert.equal(await claim(inbox, payments, { payment: 'tx-1' }), true)
    assert.equal(await claim(inbox, payments, { payment: 'tx-1' }), true)
    assert.equal(await claim(inbox, ['credit:3'], { payment: 'tx-1' }), false)
  })
  test('does not link a payment to a credit that is not stored', async ({ inbox }) => {
    assert.equal(await claim(inbox, ['credit:1'], { payment: 'tx-1' }), true)
    await inbox.credits.store([makeCredit({ id: '2' })])
    assert.equal(await claim(inbox, ['credit:2'], { payment: 'tx-1' }), true)
  })
  test('claims nothing when a credit of the given hashes is stored', async ({ inbox }) => {
    const unlessStored = ['trace-1', 'unknown']
    assert.equal(await claim(inbox, ['tx:a'], { unlessStored }), true)
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, ['tx:a', 'tx:b'], { unlessStored }), false)
    assert.equal(await claim(inbox, ['tx:b'], { ...ORDER, reference: 'order-2' }), true)
    assert.equal(await claim(inbox, ['tx:c'], { unlessStored: ['tx:c', '1', ''] }), true)
  })
}

function describeCreditRaces({ test }: Suite<InboxHarness>): void {
  test(`S119 uses a credit once in ${CALLS} concurrent claims of orders and refunds`, async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    const claims = await callConcurrently(CALLS, (index) => {
      const kind = index % 2 === 0 ? 'order' : 'refund'
      return claim(inbox, ['credit:1'], { reference: `order-${index}`, kind })
    })
    assert.equal(claims.filter(Boolean).length, 1)
    assert.equal((await usesOf(inbox, '1')).length, 1)
  })
  test(`S137 gives a released credit to one of ${CALLS} concurrent orders and refunds`, async ({
    inbox,
  }) => {
    const released = { ...ORDER, reference: '["refund","1",1]' }
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, ['tx:a', 'credit:1'], { ...released, kind: 'refund' }), true)
    const claims = await callConcurrently(CALLS, async (index) => {
      if (index % 3 === 0) await inbox.credits.release({ ...released, credit: '1' })
      const kind = index % 2 === 0 ? 'order' : 'refund'
      return claim(inbox, ['tx:a', 'credit:1'], { reference: `order-${index}`, kind })
    })
    assert.equal(claims.filter(Boolean).length, 1)
    assert.equal((await usesOf(inbox, '1')).length, 1)
  })
  test(`S134 gives the surplus of a credit to one of ${CALLS} concurrent refunds and orders`, async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    assert.equal(await claim(inbox, ['credit:1'], { usedAmount: 2n }), true)
    const claims = await callConcurrently(CALLS, (index) => {
      const kind = index % 2 === 0 ? 'order' : 'refund'
      return claim(inbox, ['credit:1'], { reference: `other-${index}`, kind, usedAmount: 1n })
    })
    assert.equal(claims.filter(Boolean).length, 1)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 2', 'refund 3'])
  })
  test(`S134 uses a part of a credit for one of ${CALLS} concurrent orders`, async ({ inbox }) => {
    await inbox.credits.store([makeCredit()])
    const claims = await callConcurrently(CALLS, (index) =>
      claim(inbox, ['credit:1'], { reference: `order-${index}`, usedAmount: 1n }),
    )
    assert.equal(claims.filter(Boolean).length, 1)
    assert.deepEqual(amountsUsed(await usesOf(inbox, '1')), ['order 1'])
  })
  test(`S119 claims a credit in ${CALLS} concurrent repetitions for one order`, async ({
    inbox,
  }) => {
    await inbox.credits.store([makeCredit()])
    const claims = await callConcurrently(CALLS, () => claim(inbox, ['credit:1']))
    assert.equal(claims.filter(Boolean).length, CALLS)
    assert.equal((await usesOf(inbox, '1')).length, 1)
  })
  test(`S119 gives two credits together to one of ${CALLS} orders`, async ({ inbox }) => {
    await inbox.credits.store([makeCredit(), makeCredit({ id: '2' })])
    const wanted = ['credit:1', 'credit:2']
    const claims = await callConcurrently(CALLS, (index) =>
      claim(inbox, index % 2 === 0 ? wanted : wanted.toReversed(), { reference: `order-${index}` }),
    )
    assert.equal(claims.filter(Boolean).length, 1)
    const uses = [...(await usesOf(inbox, '1')), ...(await usesOf(inbox, '2'))]
    const winner = `order-${claims.indexOf(true)}`
    assert.deepEqual(
      uses.map(({ reference }) => reference),
      [winner, winner],
    )
  })
  test(`S117 links a payment to one of ${CALLS} credits concurrently`, async ({ inbox }) => {
    const ids = Array.from({ length: CALLS }, (_, index) => `${index}`)
    await inbox.credits.store(ids.map((id) => makeCredit({ id })))
    const claims = await callConcurrently(CALLS, (index) =>
      claim(inbox, [`credit:${index}`], { payment: 'tx-1' }),
    )
    assert.equal(claims.filter(Boolean).length, 1)
  })
  test('S119 counts a use that is claimed while the credit is stored', async ({ inbox }) => {
    const claims = await callConcurrently(CALLS, async (index) => {
      if (index % 2 === 0) await inbox.credits.store([makeCredit()])
      return index % 2 === 1 && claim(inbox, ['credit:1'], { reference: `order-${index}` })
    })
    assert.equal(claims.filter(Boolean).length, 1)
    const uses = await usesOf(inbox, '1')
    assert.deepEqual(
      uses.map(({ rawAmount }) => rawAmount),
      [5n],
    )
  })
}
