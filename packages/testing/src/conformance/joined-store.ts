import assert from 'node:assert/strict'
import type { JoinedOrders } from '@tonplug/core'
import { assertReports, CALLS, findReport, makeReport } from './inbox-fixtures.js'
import { join } from './joined-fixtures.js'
import type { JoinedOrdersHarness, JoinedSuite } from './joined-harness.js'
import { findOrder, KEY, makeHash, makeOrder, makePayment } from './order-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const { wasCompletedBefore: _follows, ...given } = makeReport({ txHash: makeHash(1) })

/** storeAndFind: stores a report and reads its order. */
export function describeStoreAndFind(suite: JoinedSuite): void {
  suite.describe('storeAndFind', () => {
    describeFound(suite)
    describeStored(suite)
  })
}

function describeFound({ test, merchantTest }: JoinedSuite): void {
  test('stores the report and returns its order', async (harness) => {
    const storeAndFind = bindStoreAndFind(harness)
    const unknown = await storeAndFind({ ...given, key: 'key-0' })
    assert.deepEqual([unknown.order, unknown.report.state], [null, 'undecided'])
    await harness.insert(makeOrder())
    const { report, order } = await storeAndFind(given)
    assert.deepEqual(order, await findOrder(harness.repository))
    assertReports([report], [await findReport(harness.inbox, report.id)])
    const { retryInMs: _retryInMs, key: _key, ...fields } = given
    const { id, receivedAtMs } = report
    const state = { state: 'undecided', attempts: 0, wasCompletedBefore: false } as const
    assertReports([report], [{ ...fields, ...state, id, receivedAtMs }])
    const repeated = await storeAndFind({ ...given, rawBody: '{}' })
    assertReports([repeated.report], [report])
  })
  merchantTest('S66 returns the order of the merchant', async (harness) => {
    const storeAndFind = bindStoreAndFind(harness)
    await harness.insert(makeOrder({ merchant: 'shop-b', rawAmount: 2n }))
    const foreign = await storeAndFind({ ...given, key: 'a', merchant: 'shop-a' })
    assert.equal(foreign.order, null)
    const own = await storeAndFind({ ...given, key: 'b', merchant: 'shop-b' })
    assert.equal(own.order?.rawAmount, 2n)
  })
  test('records whether this transfer had completed the order before', async (harness) => {
    const storeAndFind = bindStoreAndFind(harness)
    await harness.insert(makeOrder())
    const early = await storeAndFind({ ...given, key: 'early' })
    await harness.repository.complete(KEY, makePayment({ txHash: given.txHash }))
    const late = await storeAndFind({ ...given, key: 'late' })
    const extra = await storeAndFind({ ...given, key: 'extra', txHash: makeHash(2) })
    const again = await storeAndFind({ ...given, key: 'early' })
    const flags = [early, late, extra, again].map(({ report }) => report.wasCompletedBefore)
    assert.deepEqual(flags, [false, true, false, false])
    assert.deepEqual(again.order, await findOrder(harness.repository))
  })
}

function describeStored({ test }: Suite<JoinedOrdersHarness>): void {
  test('S72 stores an unreadable report', async (harness) => {
    const storeAndFind = bindStoreAndFind(harness)
    const unreadable = { ...given, reference: '', txHash: '', problem: 'not JSON' }
    const { report, order } = await storeAndFind(unreadable)
    assert.deepEqual([order, report.state, report.problem], [null, 'unreadable', 'not JSON'])
  })
  test(`S38 stores one row for ${CALLS} equal reports that arrive concurrently`, async (harness) => {
    const storeAndFind = bindStoreAndFind(harness)
    await harness.insert(makeOrder())
    const stored = await callConcurrently(CALLS, () => storeAndFind(given))
    assert.equal(new Set(stored.map(({ report }) => report.id)).size, 1)
    assert.ok(stored.every(({ order }) => order?.reference === KEY.reference))
  })
}

function bindStoreAndFind(harness: JoinedOrdersHarness): Required<JoinedOrders>['storeAndFind'] {
  const joined = join(harness)
  assert.ok(
    joined.storeAndFind !== undefined,
    'Joined orders without storeAndFind must be tested with the option storeAndFind: false',
  )
  return joined.storeAndFind.bind(joined)
}
