import assert from 'node:assert/strict'
import {
  assertDecision,
  CALLS,
  claimTasks,
  findReport,
  handlersOf,
  keysOf,
  makeMismatch,
  makePaid,
  makeTasks,
  NAME,
  register,
  storeMany,
  storeNew,
} from './inbox-fixtures.js'
import { makeCredit } from './credit-fixtures.js'
import { assertMade, assertUnclaimed, join, makeMove } from './joined-fixtures.js'
import type { JoinedOrdersHarness, JoinedSuite } from './joined-harness.js'
import {
  assertOrder,
  findOrder,
  KEY,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import { callConcurrently, countValues, type Suite } from './runner.js'

/** completeAndDecide: claims the payments, completes the order and decides the report, or does nothing. */
export function describeJoinedCompletion(suite: JoinedSuite): void {
  suite.describe('completeAndDecide', () => {
    describeCompletion(suite)
    describeMerchant(suite)
    describeConflict(suite)
    describeReused(suite)
    describeStoredCredits(suite)
    describeReusedRaces(suite)
    describeRaces(suite)
    describeMixedRaces(suite)
  })
}

function describeCompletion({ test }: Suite<JoinedOrdersHarness>): void {
  test('completes the order, claims the payments and records the decision with its tasks', async (harness) => {
    const { inbox, repository } = harness
    await harness.insert(makeOrder())
    await register(inbox, { handlers: { 'onPaid.ship': 'onPaid' } })
    const { id } = await storeNew(inbox)
    const payment = makePayment()
    const record = { decision: makePaid(), event: 'onPaid', tasks: makeTasks('a') } as const
    const payments = ['tx:1', 'credit:2']
    const made = await join(harness).completeAndDecide(id, makeMove({ record, payments }))
    assert.equal(assertMade(made), true)
    await assertOrder(repository, { ...KEY, status: 'completed', payment })
    const report = await findReport(inbox, id)
    assert.equal(report.state, 'decided')
    assertDecision(report.decision, makePaid())
    const tasks = await claimTasks(inbox, { limits: { onPaid: 5, 'onPaid.ship': 5 } })
    assert.deepEqual(handlersOf(tasks), ['onPaid', 'onPaid.ship'])
    const claim = { name: NAME, merchant: '', payments: ['credit:2'] }
    assert.equal(await inbox.credits.claim({ ...claim, reference: 'order-2' }), false)
    assert.equal(await inbox.credits.claim({ ...claim, reference: 'order-1' }), true)
  })
  test('S46 claims the payments of an order that the same transfer completed before, and records nothing', async (harness) => {
    await harness.insert(makeOrder())
    const { id } = await storeNew(harness.inbox)
    await harness.repository.complete(KEY, makePayment())
    const made = await join(harness).completeAndDecide(id, makeMove({ payments: ['tx:1'] }))
    assert.deepEqual(made, { transition: 'already-applied' })
    assert.equal((await findReport(harness.inbox, id)).state, 'undecided')
    assert.deepEqual(await claimTasks(harness.inbox), [])
    const claim = { name: NAME, merchant: '', reference: 'order-2', payments: ['tx:1'] }
    assert.equal(await harness.inbox.credits.claim(claim), false)
  })
  test('replaces another decision by paid', async (harness) => {
    await harness.insert(makeOrder())
    const { id } = await storeNew(harness.inbox)
    await harness.inbox.reports.decide(id, { decision: makeMismatch() })
    const made = await join(harness).completeAndDecide(id, makeMove())
    assert.equal(assertMade(made), true)
    assertDecision((await findReport(harness.inbox, id)).decision, makePaid())
  })
}

function describeMerchant({ merchantTest }: JoinedSuite): void {
  merchantTest('S66 completes the order of the merchant only', async (harness) => {
    const other = { reference: 'order-1', merchant: 'shop-b' }
    const key = { reference: 'order-1', merchant: 'shop-a' }
    await harness.insert(makeOrder(other))
    const { id } = await storeNew(harness.inbox, { merchant: 'shop-a' })
    const missing = await join(harness).completeAndDecide(id, makeMove({ key }))
    assert.deepEqual(missing, { transition: 'not-found' })
    await harness.insert(makeOrder(key))
    assertMade(await join(harness).completeAndDecide(id, makeMove({ key })))
    const payment = makePayment()
    await assertOrder(harness.repository, { ...key, status: 'completed', payment })
    await assertOrder(harness.repository, { ...other, status: 'pending' })
  })
}

function describeConflict({ test }: Suite<JoinedOrdersHarness>): void {
  const refuses = (
    what: string,
    expected: 'conflict' | 'not-found',
    prepare: (harness: JoinedOrdersHarness) => Promise<unknown>,
  ): void =>
    void test(`returns ${expected} for ${what}, and neither decides nor claims`, async (harness) => {
      await prepare(harness)
      const { id } = await storeNew(harness.inbox)
      const move = makeMove({ payments: ['tx:new'] })
      const made = await join(harness).completeAndDecide(id, move)
      assert.deepEqual(made, { transition: expected })
      assert.equal((await findReport(harness.inbox, id)).state, 'undecided')
      assert.deepEqual(await claimTasks(harness.inbox), [])
      await assertUnclaimed(harness, ['tx:new'])
    })
  refuses('an unknown reference', 'not-found', () => Promise.resolve())
  refuses('an order that was cancelled', 'conflict', ({ insert }) =>
    insert(makeOrder({ status: 'cancelled' })),
  )
  refuses('an order that another transfer completed', 'conflict', async (harness) => {
    await harness.insert(makeOrder())
    await harness.repository.complete(KEY, makePayment({ txHash: makeHash(9) }))
  })
}

function describeReused({ test }: Suite<JoinedOrdersHarness>): void {
  test('S119 returns reused when another name has claimed the credit, and changes nothing', async (harness) => {
    const { inbox } = harness
    await harness.insert(makeOrder())
    const claim = { ...KEY, name: 'another name', payments: ['credit:1'] }
    assert.equal(await inbox.credits.claim(claim), true)
    const { id } = await storeNew(inbox)
    const move = makeMove({ payments: ['tx:1', 'credit:1'] })
    assert.deepEqual(await join(harness).completeAndDecide(id, move), { transition: 'reused' })
    await assertOrder(harness.repository, { ...KEY, status: 'pending' })
    await assertUnclaimed(harness, ['tx:1'])
  })
  test('S82 returns reused when another order has claimed a payment, and changes nothing', async (harness) => {
    const { inbox, repository } = harness
    await harness.insert(makeOrder())
    const claim = { name: NAME, merchant: '', reference: 'order-2', payments: ['tx:1'] }
    await inbox.credits.claim(claim)
    const { id } = await storeNew(inbox)
    const move = makeMove({ payments: ['tx:0', 'tx:1', 'tx:2'] })
    const made = await join(harness).completeAndDecide(id, move)
    assert.deepEqual(made, { transition: 'reused' })
    await assertOrder(repository, { ...KEY, status: 'pending' })
    assert.equal((await findReport(inbox, id)).state, 'undecided')
    assert.deepEqual(await claimTasks(inbox), [])
    await assertUnclaimed(harness, ['tx:0', 'tx:2'])
  })
  test('S65 ignores the claim of another merchant', async (harness) => {
    await harness.insert(makeOrder())
    const claim = { name: NAME, merchant: 'shop-a', reference: 'order-2', payments: ['tx:1'] }
    await harness.inbox.credits.claim(claim)
    const { id } = await storeNew(harness.inbox)
    const move = makeMove({ payments: ['tx:1'] })
    assertMade(await join(harness).completeAndDecide(id, move))
  })
}

function describeStoredCredits({ test }: Suite<JoinedOrdersHarness>): void {
  test('S119 returns reused when a credit of the given hashes is stored, and changes nothing', async (harness) => {
    const { inbox, repository } = harness
    await harness.insert(makeOrder())
    await inbox.credits.store([makeCredit()])
    const { id } = await storeNew(inbox)
    const move = makeMove({ payments: ['tx:1'], unlessStored: ['unknown', 'trace-1'] })
    assert.deepEqual(await join(harness).completeAndDecide(id, move), { transition: 'reused' })
    await assertOrder(repository, { ...KEY, status: 'pending' })
    assert.equal((await findReport(inbox, id)).state, 'undecided')
    await assertUnclaimed(harness, ['tx:1'])
    const others = makeMove({ payments: ['credit:1'], unlessStored: ['unknown'], usedAmount: 2n })
    assertMade(await join(harness).completeAndDecide(id, others))
    const [used] = await inbox.credits.listOf({ ...KEY, name: NAME })
    assert.deepEqual(
      used?.uses.map(({ payment, rawAmount }) => [payment, rawAmount]),
      [[makePayment().txHash, 2n]],
    )
  })
}

function describeReusedRaces({ test }: Suite<JoinedOrdersHarness>): void {
  test(`S82 completes one of ${CALLS} orders concurrently by the same payment`, async (harness) => {
    const references = Array.from({ length: CALLS }, (_, index) => `order-${index}`)
    const ids: string[] = []
    for (const reference of references) {
      await harness.insert(makeOrder({ reference }))
      ids.push((await storeNew(harness.inbox, { key: reference, reference })).id)
    }
    const joined = join(harness)
    const made = await callConcurrently(CALLS, (index) => {
      const key = { reference: references[index] ?? '', merchant: '' }
      const record = { decision: makePaid(), tasks: makeTasks(`task-${index}`) }
      return joined.completeAndDecide(ids[index] ?? '', makeMove({ key, record }))
    })
    const transitions = made.map(({ transition }) => transition)
    assert.deepEqual(countValues(transitions), { applied: 1, reused: CALLS - 1 })
    const winner = transitions.indexOf('applied')
    assert.deepEqual(keysOf(await claimTasks(harness.inbox)), [`task-${winner}`])
    assert.equal((await harness.inbox.stats()).undecided, CALLS - 1)
  })
}

function describeRaces({ test }: Suite<JoinedOrdersHarness>): void {
  test(`S38 applies one of ${CALLS} concurrent calls, and records it once`, async (harness) => {
    await harness.insert(makeOrder())
    const { id } = await storeNew(harness.inbox)
    const joined = join(harness)
    const made = await callConcurrently(CALLS, () => joined.completeAndDecide(id, makeMove()))
    assert.deepEqual(countValues(made.map(({ transition }) => transition)), {
      applied: 1,
      'already-applied': CALLS - 1,
    })
    const recorded = made.filter((one) => 'isRecorded' in one && one.isRecorded)
    assert.equal(recorded.length, 1)
    assert.deepEqual(keysOf(await claimTasks(harness.inbox)), ['a'])
  })
  test(`S40 applies one of ${CALLS} concurrent transfers, with its tasks only`, async (harness) => {
    await harness.insert(makeOrder())
    const ids = await storeMany(harness.inbox, CALLS)
    const joined = join(harness)
    const made = await callConcurrently(CALLS, (index) => {
      const payment = makePayment({ txHash: makeHash(index) })
      const record = { decision: makePaid(), tasks: makeTasks(`task-${index}`) }
      return joined.completeAndDecide(ids[index] ?? '', makeMove({ payment, record }))
    })
    const transitions = made.map(({ transition }) => transition)
    assert.deepEqual(countValues(transitions), { applied: 1, conflict: CALLS - 1 })
    const winner = transitions.indexOf('applied')
    const { payment } = await findOrder(harness.repository)
    assert.equal(payment?.txHash, makeHash(winner))
    assert.deepEqual(keysOf(await claimTasks(harness.inbox)), [`task-${winner}`])
    assert.equal((await harness.inbox.stats()).undecided, CALLS - 1)
  })
}

function describeMixedRaces({ test }: Suite<JoinedOrdersHarness>): void {
  test('S40 completes an order once when transfers and failures are concurrent', async (harness) => {
    await harness.insert(makeOrder())
    const { id } = await storeNew(harness.inbox)
    const failed = await storeNew(harness.inbox, { key: 'failed' })
    const joined = join(harness)
    const failure = makeFailure()
    const record = { decision: makeMismatch() }
    await callConcurrently(CALLS, async (index) => {
      if (index % 2 === 0) await joined.completeAndDecide(id, makeMove())
      else await joined.failAndDecide(failed.id, { key: KEY, failure, record })
    })
    const payment = makePayment()
    await assertOrder(harness.repository, { ...KEY, status: 'completed', payment })
    assert.equal((await findReport(harness.inbox, id)).state, 'decided')
  })
}
