import assert from 'node:assert/strict'
import type { Decision } from '@tonplug/core'
import type { InboxHarness } from './inbox.js'
import {
  assertDecision,
  claimTasks,
  findDelivery,
  keysOf,
  makePaid,
  makeTasks,
  makeUnmatched,
  NOW_MS,
  storeNew,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

const CALLS = 50
const facts = { reference: 'order-1 💎', txHash: 'tx-1' }

const EVERY_DECISION: readonly Decision[] = [
  makePaid(),
  { kind: 'failed', ...facts, errorCode: 36, errorMessage: 'Not enough "TON"' },
  { kind: 'failed', ...facts, errorCode: undefined, errorMessage: undefined },
  { kind: 'unexpected_status', ...facts, status: 'SUCCESS' },
  { kind: 'duplicate', ...facts, first: 'paid' },
  { kind: 'extra_payment', ...facts, received: '1', asset: 'TON', completedBy: 'tx-0' },
  { kind: 'paid_after_cancel', ...facts, received: `${2n ** 120n}`, asset: 'TON' },
  { kind: 'amount_mismatch', ...facts, expected: '2', received: '1e9', amount: '0.1' },
  { kind: 'asset_mismatch', ...facts, expected: 'TON', received: 'USDT' },
  { kind: 'recipient_mismatch', ...facts, expected: ['0:00', '0:01'], received: '' },
  { kind: 'rejected', ...facts, rule: 'limits', reason: 'над лимитом' },
  { kind: 'unverified', ...facts, reason: 'other_amount', detail: '1 arrived of "2"' },
]

/** decide: the first final decision stands, and its tasks come with it. */
export function describeDecide(suite: Suite<InboxHarness>): void {
  suite.runner.describe('decide', () => {
    describeFinal(suite)
    describePaid(suite)
    describeParked(suite)
    describeVerifying(suite)
    describeTasks(suite)
    describeDecisionsAtOnce(suite)
  })
}

function describeFinal({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('records every kind of decision as given', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      for (const [index, decision] of EVERY_DECISION.entries()) {
        const { id } = await storeNew(inbox, { key: `key-${index}` })
        const answer = await inbox.decide(id, { decision, tasks: [] })
        assert.equal(answer.isRecorded, true)
        assertDecision(answer.decision, decision)
        const row = await findDelivery(inbox, id)
        assert.equal(row.state, 'decided')
        assertDecision(row.decision, decision)
      }
    }))
  it('keeps the first final decision, also when it is the same again', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid(), tasks: [] })
      const later: Decision = { kind: 'duplicate', ...facts }
      for (const decision of [later, makePaid()]) {
        const answer = await inbox.decide(id, { decision, tasks: makeTasks('late') })
        assert.equal(answer.isRecorded, false)
        assertDecision(answer.decision, makePaid())
      }
      assert.deepEqual(await claimTasks(inbox), [], 'what was not recorded adds no tasks')
    }))
}

function describePaid({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S38 lets paid take the place of another final decision, and adds its tasks', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: { kind: 'duplicate', ...facts }, tasks: [] })
      const answer = await inbox.decide(id, { decision: makePaid(), tasks: makeTasks('paid') })
      assert.equal(answer.isRecorded, true)
      assertDecision(answer.decision, makePaid())
      assertDecision((await findDelivery(inbox, id)).decision, makePaid())
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
    }))
}

function describeParked({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  const parked = { decision: makeUnmatched(), tasks: [], retryAtMs: NOW_MS + 1000 }
  it('S25 parks a delivery and decides it later', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      assert.equal((await inbox.decide(id, parked)).isRecorded, true)
      const row = await findDelivery(inbox, id)
      assert.equal(row.state, 'parked')
      assertDecision(row.decision, makeUnmatched())
      assert.equal((await inbox.decide(id, parked)).isRecorded, true, 'parked once more')
      const answer = await inbox.decide(id, { decision: makePaid(), tasks: makeTasks('paid') })
      assert.equal(answer.isRecorded, true)
      assertDecision(answer.decision, makePaid())
      assert.equal((await findDelivery(inbox, id)).state, 'decided')
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
    }))
  it('does not park a delivery that is decided', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid(), tasks: [] })
      const answer = await inbox.decide(id, parked)
      assert.equal(answer.isRecorded, false)
      assertDecision(answer.decision, makePaid())
      assert.equal((await findDelivery(inbox, id)).state, 'decided')
    }))
}

function describeVerifying({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  const verifying: Decision = { kind: 'verifying', ...facts, sinceMs: NOW_MS }
  const unverified: Decision = {
    kind: 'unverified',
    ...facts,
    reason: 'not_found',
    detail: 'nothing',
  }
  it('S54 parks a delivery that waits for its proof, with the task that looks for it', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      const tasks = makeTasks('verifyOnChain:1')
      await inbox.decide(id, { decision: verifying, tasks, retryAtMs: NOW_MS + 1000 })
      const row = await findDelivery(inbox, id)
      assert.equal(row.state, 'parked')
      assertDecision(row.decision, verifying)
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['verifyOnChain:1'])
    }))
  it('S55 lets paid take the place of unverified, and nothing else', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: unverified, tasks: [] })
      const waiting = { decision: verifying, tasks: [], retryAtMs: NOW_MS + 1000 }
      assert.equal((await inbox.decide(id, waiting)).isRecorded, false)
      assertDecision((await findDelivery(inbox, id)).decision, unverified)
      const paid = await inbox.decide(id, { decision: makePaid(), tasks: makeTasks('paid') })
      assert.equal(paid.isRecorded, true)
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
    }))
}

function describeTasks({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('adds every task of a decision, and those of a parked one too', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      const tasks = makeTasks('a', 'b')
      await inbox.decide(id, { decision: makeUnmatched(), tasks, retryAtMs: NOW_MS + 1000 })
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['a', 'b'])
    }))
  it('adds a task whose key is known no second time, from whichever delivery', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const first = await storeNew(inbox)
      const second = await storeNew(inbox, { key: 'key-2' })
      const parked = { decision: makeUnmatched(), retryAtMs: NOW_MS + 1000 }
      await inbox.decide(first.id, { ...parked, tasks: makeTasks('a') })
      await inbox.decide(first.id, { ...parked, tasks: makeTasks('a', 'b') })
      await inbox.decide(second.id, { decision: makePaid(), tasks: makeTasks('b', 'c') })
      const tasks = await claimTasks(inbox)
      assert.deepEqual(keysOf(tasks), ['a', 'b', 'c'])
      const b = tasks.find(({ idempotencyKey }) => idempotencyKey === 'b')
      assert.equal(b?.deliveryId, first.id)
    }))
  it('does not add a task again that is done', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const first = await storeNew(inbox)
      const second = await storeNew(inbox, { key: 'key-2' })
      await inbox.decide(first.id, { decision: makePaid(), tasks: makeTasks('a') })
      for (const task of await claimTasks(inbox)) await inbox.finishTask(task, { kind: 'done' })
      await inbox.decide(second.id, { decision: makePaid(), tasks: makeTasks('a') })
      assert.deepEqual(await claimTasks(inbox), [])
    }))
}

function describeDecisionsAtOnce({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it(`S38 records one of ${CALLS} decisions that come at once, with its tasks alone`, () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, index) =>
          inbox.decide(id, {
            decision: makePaid({ txHash: `tx-${index}` }),
            tasks: makeTasks(`tx-${index}`),
          }),
        ),
      )
      const [winner, ...others] = answers.filter(({ isRecorded }) => isRecorded)
      assert.ok(winner !== undefined && others.length === 0, 'exactly one is recorded')
      for (const { decision } of answers) assertDecision(decision, winner.decision)
      assert.deepEqual(keysOf(await claimTasks(inbox)), [winner.decision.txHash])
    }))
  it(`S38 adds one task when ${CALLS} deliveries bring its key at once`, () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const ids: string[] = []
      for (let index = 0; index < CALLS; index++) {
        ids.push((await storeNew(inbox, { key: `key-${index}` })).id)
      }
      const verdict = { decision: makePaid(), tasks: makeTasks('a') }
      await Promise.all(ids.map((id) => inbox.decide(id, verdict)))
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['a'])
    }))
}
