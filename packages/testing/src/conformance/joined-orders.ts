import assert from 'node:assert/strict'
import type { Decision, Inbox, JoinedOrders, Order, OrderRepository } from '@tonplug/core'
import {
  assertDecision,
  claimTasks,
  findDelivery,
  keysOf,
  makeDelivery,
  makePaid,
  makeTasks,
  storeNew,
} from './inbox-fixtures.js'
import {
  assertOrder,
  findOrder,
  makeFailure,
  makeHash,
  makeOrder,
  makePayment,
} from './order-fixtures.js'
import {
  countValues,
  type MakeHarness,
  type Suite,
  type TestRunner,
  withHarness,
} from './runner.js'

const CALLS = 50
const REFERENCE = 'order-1'

/** An inbox and the orders it shares a database with. Both start empty. */
export interface JoinedOrdersHarness {
  inbox: Inbox
  repository: OrderRepository
  /** Stores an order exactly as given, with its status and `createdAt`. */
  insert: (order: Order) => Promise<void>
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

/**
 * Defines the tests that every {@link JoinedOrders} has to pass: each combined step means the same as its two parts,
 * and is made whole or not at all.
 * @param makeHarness makes an inbox and its orders; called once for each test.
 */
export function describeJoinedOrders(
  name: string,
  makeHarness: MakeHarness<JoinedOrdersHarness>,
  runner: TestRunner,
): void {
  const suite = { makeHarness, runner }
  runner.describe(`JoinedOrders: ${name}`, () => {
    describeStoreAndFind(suite)
    describeCompletion(suite)
    describeRefusal(suite)
    describeFailure(suite)
    describeRaces(suite)
  })
}

type JoinedSuite = Suite<JoinedOrdersHarness>

function join({ inbox, repository }: JoinedOrdersHarness): JoinedOrders {
  const joined = inbox.joinOrders?.(repository)
  assert.ok(joined, 'the inbox shares transactions with these orders')
  return joined
}

/** `undefined` where the orders are read by themselves. */
function bindStoreAndFind(harness: JoinedOrdersHarness): JoinedOrders['storeAndFind'] {
  const joined = join(harness)
  return joined.storeAndFind?.bind(joined)
}

function describeStoreAndFind({ makeHarness, runner: { it } }: JoinedSuite): void {
  const { wasCompletedBefore: _follows, ...given } = makeDelivery({ txHash: makeHash(1) })
  it('storeAndFind stores the delivery and answers its order', () =>
    withHarness(makeHarness, async (harness) => {
      const storeAndFind = bindStoreAndFind(harness)
      if (storeAndFind === undefined) return
      const unknown = await storeAndFind({ ...given, key: 'key-0' })
      assert.deepEqual([unknown.order, unknown.delivery.state], [null, 'undecided'])
      await harness.insert(makeOrder())
      const { delivery, order } = await storeAndFind(given)
      assert.deepEqual(order, await findOrder(harness.repository, REFERENCE))
      assert.deepEqual(delivery, await findDelivery(harness.inbox, delivery.id))
      assert.equal(delivery.wasCompletedBefore, false)
      const repeated = await storeAndFind({ ...given, rawBody: '{}' })
      assert.deepEqual(repeated.delivery, delivery)
    }))
  it('storeAndFind tells whether this transfer had completed the order before', () =>
    withHarness(makeHarness, async (harness) => {
      const storeAndFind = bindStoreAndFind(harness)
      if (storeAndFind === undefined) return
      await harness.insert(makeOrder())
      const early = await storeAndFind({ ...given, key: 'early' })
      await harness.repository.complete(REFERENCE, makePayment({ txHash: given.txHash }))
      const late = await storeAndFind({ ...given, key: 'late' })
      const extra = await storeAndFind({ ...given, key: 'extra', txHash: makeHash(2) })
      const again = await storeAndFind({ ...given, key: 'early' })
      assert.deepEqual(
        [early, late, extra, again].map(({ delivery }) => delivery.wasCompletedBefore),
        [false, true, false, false],
      )
      assert.deepEqual(again.order, await findOrder(harness.repository, REFERENCE))
    }))
  it(`S38 storeAndFind stores one row when ${CALLS} equal deliveries arrive at once`, () =>
    withHarness(makeHarness, async (harness) => {
      const storeAndFind = bindStoreAndFind(harness)
      if (storeAndFind === undefined) return
      await harness.insert(makeOrder())
      const answers = await atOnce(() => storeAndFind(given))
      assert.equal(new Set(answers.map(({ delivery }) => delivery.id)).size, 1)
      assert.ok(answers.every(({ order }) => order?.reference === REFERENCE))
    }))
}

function describeCompletion({ makeHarness, runner: { it } }: JoinedSuite): void {
  it('completeAndDecide completes the order and records the decision with its tasks', () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const { id } = await storeNew(harness.inbox)
      const payment = makePayment()
      const verdict = { decision: makePaid(), tasks: makeTasks('a', 'b') }
      const made = await join(harness).completeAndDecide(id, {
        reference: REFERENCE,
        payment,
        verdict,
      })
      assert.ok('isRecorded' in made)
      assert.deepEqual([made.transition, made.isRecorded], ['applied', true])
      assertDecision(made.decision, makePaid())
      await assertOrder(harness.repository, { reference: REFERENCE, status: 'completed', payment })
      const row = await findDelivery(harness.inbox, id)
      assert.equal(row.state, 'decided')
      assertDecision(row.decision, makePaid())
      assert.deepEqual(keysOf(await claimTasks(harness.inbox)), ['a', 'b'])
    }))
  it('S46 completeAndDecide records the decision for what the same transfer completed before', () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const { id } = await storeNew(harness.inbox)
      const payment = makePayment()
      await harness.repository.complete(REFERENCE, payment)
      const move = {
        reference: REFERENCE,
        payment,
        verdict: { decision: makePaid(), tasks: makeTasks('a') },
      }
      const made = await join(harness).completeAndDecide(id, move)
      assert.ok('isRecorded' in made)
      assert.deepEqual([made.transition, made.isRecorded], ['already-applied', true])
      const again = await join(harness).completeAndDecide(id, move)
      assert.ok('isRecorded' in again)
      assert.deepEqual([again.transition, again.isRecorded], ['already-applied', false])
      assert.deepEqual(keysOf(await claimTasks(harness.inbox)), ['a'])
    }))
  it('completeAndDecide takes the place of another decision', () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const { id } = await storeNew(harness.inbox)
      const duplicate: Decision = { kind: 'duplicate', reference: REFERENCE, txHash: 'tx-1' }
      await harness.inbox.decide(id, { decision: duplicate, tasks: [] })
      const verdict = { decision: makePaid(), tasks: makeTasks('a') }
      const made = await join(harness).completeAndDecide(id, {
        reference: REFERENCE,
        payment: makePayment(),
        verdict,
      })
      assert.ok('isRecorded' in made && made.isRecorded)
      assertDecision((await findDelivery(harness.inbox, id)).decision, makePaid())
    }))
}

function describeRefusal({ makeHarness, runner: { it } }: JoinedSuite): void {
  const verdict = { decision: makePaid(), tasks: makeTasks('a') }
  const refuses = (
    what: string,
    expected: 'conflict' | 'not-found',
    prepare: (harness: JoinedOrdersHarness) => Promise<unknown>,
  ): void =>
    void it(`completeAndDecide answers ${expected} for ${what}, and decides nothing`, () =>
      withHarness(makeHarness, async (harness) => {
        await prepare(harness)
        const { id } = await storeNew(harness.inbox)
        const move = { reference: REFERENCE, payment: makePayment(), verdict }
        const made = await join(harness).completeAndDecide(id, move)
        assert.deepEqual(made, { transition: expected })
        assert.equal((await findDelivery(harness.inbox, id)).state, 'undecided')
        assert.deepEqual(await claimTasks(harness.inbox), [])
      }))
  refuses('S42 a cancelled order', 'conflict', ({ insert }) =>
    insert(makeOrder({ status: 'cancelled' })),
  )
  refuses('an unknown reference', 'not-found', async () => undefined)
  refuses('S40 an order that another transfer completed', 'conflict', async (harness) => {
    await harness.insert(makeOrder())
    await harness.repository.complete(REFERENCE, makePayment({ txHash: makeHash(9) }))
  })
}

function describeFailure({ makeHarness, runner: { it } }: JoinedSuite): void {
  const decision: Decision = { kind: 'failed', reference: REFERENCE, txHash: makeHash(2) }
  const move = {
    reference: REFERENCE,
    failure: makeFailure(),
    verdict: { decision, tasks: makeTasks('a') },
  }
  it('S28 failAndDecide records the failure with its decision, once', () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const { id } = await storeNew(harness.inbox)
      const made = await join(harness).failAndDecide(id, move)
      assert.ok('isRecorded' in made)
      assert.deepEqual([made.transition, made.isRecorded], ['applied', true])
      await assertOrder(harness.repository, { reference: REFERENCE, status: 'failed' })
      assertDecision((await findDelivery(harness.inbox, id)).decision, decision)
      const again = await join(harness).failAndDecide(id, move)
      assert.ok('isRecorded' in again)
      assert.deepEqual([again.transition, again.isRecorded], ['already-applied', false])
      assert.deepEqual(keysOf(await claimTasks(harness.inbox)), ['a'])
    }))
  it('S27 failAndDecide never moves a completed order', () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const payment = makePayment()
      await harness.repository.complete(REFERENCE, payment)
      const { id } = await storeNew(harness.inbox)
      assert.deepEqual(await join(harness).failAndDecide(id, move), { transition: 'conflict' })
      await assertOrder(harness.repository, { reference: REFERENCE, status: 'completed', payment })
      assert.equal((await findDelivery(harness.inbox, id)).state, 'undecided')
    }))
}

function describeRaces({ makeHarness, runner: { it } }: JoinedSuite): void {
  it(`S38 completeAndDecide applies one of ${CALLS} at once, and records it once`, () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const { id } = await storeNew(harness.inbox)
      const verdict = { decision: makePaid(), tasks: makeTasks('a') }
      const move = { reference: REFERENCE, payment: makePayment(), verdict }
      const joined = join(harness)
      const made = await atOnce(() => joined.completeAndDecide(id, move))
      assert.deepEqual(countValues(made.map(({ transition }) => transition)), {
        applied: 1,
        'already-applied': CALLS - 1,
      })
      const recorded = made.filter((answer) => 'isRecorded' in answer && answer.isRecorded)
      assert.equal(recorded.length, 1)
      assert.deepEqual(keysOf(await claimTasks(harness.inbox)), ['a'])
    }))
  it(`S40 completeAndDecide applies one of ${CALLS} transfers at once, with its tasks alone`, () =>
    withHarness(makeHarness, async (harness) => {
      await harness.insert(makeOrder())
      const ids: string[] = []
      for (let index = 0; index < CALLS; index++) {
        ids.push((await storeNew(harness.inbox, { key: `key-${index}` })).id)
      }
      const joined = join(harness)
      const made = await atOnce((index) =>
        joined.completeAndDecide(ids[index] ?? '', {
          reference: REFERENCE,
          payment: makePayment({ txHash: makeHash(index) }),
          verdict: { decision: makePaid(), tasks: makeTasks(`task-${index}`) },
        }),
      )
      const transitions = made.map(({ transition }) => transition)
      assert.deepEqual(countValues(transitions), { applied: 1, conflict: CALLS - 1 })
      const winner = transitions.indexOf('applied')
      const { payment } = await findOrder(harness.repository, REFERENCE)
      assert.equal(payment?.txHash, makeHash(winner))
      assert.deepEqual(keysOf(await claimTasks(harness.inbox)), [`task-${winner}`])
      const { undecided } = await harness.inbox.stats()
      assert.equal(undecided, CALLS - 1)
    }))
}

function atOnce<Answer>(call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: CALLS }, (_, index) => call(index)))
}
