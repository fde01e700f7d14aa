import assert from 'node:assert/strict'
import type { Decision, JoinedOrders } from '@tonplug/core'
import {
  assertDecision,
  claimTasks,
  findReport,
  keysOf,
  makeTasks,
  storeNew,
} from './inbox-fixtures.js'
import { assertMade, join } from './joined-fixtures.js'
import type { JoinedOrdersHarness, JoinedSuite } from './joined-harness.js'
import {
  assertOrder,
  KEY,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import type { Suite } from './runner.js'

const decision: Decision = {
  kind: 'failed',
  reference: KEY.reference,
  txHash: makeHash(2),
  status: 'error',
}
const move: Parameters<JoinedOrders['failAndDecide']>[1] = {
  key: KEY,
  failure: makeFailure(),
  record: { decision, tasks: makeTasks('a') },
}

/** failAndDecide: stores the failure and decides the report, or does nothing. */
export function describeJoinedFailure(suite: JoinedSuite): void {
  suite.describe('failAndDecide', () => {
    describeFailure(suite)
    describeConflict(suite)
  })
}

function describeFailure({ test, merchantTest }: JoinedSuite): void {
  for (const status of ['pending', 'expired'] as const) {
    test(`S28 S74 stores the failure of an order that is ${status}, with its decision, once`, async (harness) => {
      await harness.insert(makeOrder({ status }))
      const { id } = await storeNew(harness.inbox)
      const made = await join(harness).failAndDecide(id, move)
      assert.equal(assertMade(made), true)
      const expected = status === 'expired' ? status : 'failed'
      const { failure } = move
      await assertOrder(harness.repository, { ...KEY, status: expected, failure })
      assertDecision((await findReport(harness.inbox, id)).decision, decision)
      const again = await join(harness).failAndDecide(id, move)
      assert.deepEqual(again, { transition: 'already-applied' })
      assert.deepEqual(keysOf(await claimTasks(harness.inbox)), ['a'])
    })
  }
  merchantTest('S66 changes the order of the merchant only', async (harness) => {
    await harness.insert(makeOrder())
    const { id } = await storeNew(harness.inbox, { merchant: 'shop-a' })
    const key = { ...KEY, merchant: 'shop-a' }
    const made = await join(harness).failAndDecide(id, { ...move, key })
    assert.deepEqual(made, { transition: 'not-found' })
    await assertOrder(harness.repository, { ...KEY, status: 'pending' })
    assert.equal((await findReport(harness.inbox, id)).state, 'undecided')
  })
}

function describeConflict({ test }: Suite<JoinedOrdersHarness>): void {
  test('S27 never changes a completed order', async (harness) => {
    await harness.insert(makeOrder())
    const payment = makePayment()
    await harness.repository.complete(KEY, payment)
    const { id } = await storeNew(harness.inbox)
    assert.deepEqual(await join(harness).failAndDecide(id, move), { transition: 'conflict' })
    await assertOrder(harness.repository, { ...KEY, status: 'completed', payment })
    assert.equal((await findReport(harness.inbox, id)).state, 'undecided')
    assert.deepEqual(await claimTasks(harness.inbox), [])
  })
}
