import assert from 'node:assert/strict'
import { handlerTaskKey, type Decision, type Inbox, type StoredDecision } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
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
  makeUnmatched,
  register,
  SWEEP_MS,
  storeMany,
  storeNew,
  storeParked,
  storeDecided,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const facts = { reference: 'order-1 💎', txHash: 'tx-1' }

const DECISIONS: readonly Decision[] = [
  makePaid(),
  { ...makePaid(), isEarly: true, proof: { message: 'ab', credited: '1' } },
  { kind: 'failed', ...facts, status: 'error', errorCode: 36, errorMessage: 'Not enough "TON"' },
  { kind: 'failed', ...facts, status: 'failed', errorCode: undefined, errorMessage: undefined },
  { kind: 'duplicate', ...facts, first: 'paid' },
  { kind: 'extra_payment', ...facts, received: '1', asset: 'TON', completedBy: 'tx-0' },
  { kind: 'paid_after_cancel', ...facts, received: `${2n ** 120n}`, asset: 'TON' },
  { kind: 'amount_mismatch', ...facts, expected: '2', received: '1e9', asset: 'USDT' },
  { kind: 'asset_mismatch', ...facts, expected: 'TON', received: 'USDT' },
  { kind: 'wallet_mismatch', ...facts, expected: ['0:00', '0:01'], received: '' },
  { kind: 'rejected', ...facts, rule: 'limits', reason: 'над лимитом' },
  { kind: 'unverified', ...facts, reason: 'other_amount', detail: '1 arrived of "2"' },
]

const verifying: Decision = { kind: 'verifying', ...facts, sinceMs: 1_767_614_400_000, looks: 2 }
const unverified: Decision = { kind: 'unverified', ...facts, reason: 'not_found', detail: 'none' }

/** decide: the first final decision stands, and its tasks are added with it. */
export function describeDecide(suite: Suite<InboxHarness>): void {
  suite.describe('decide', () => {
    describeFinal(suite)
    describePaid(suite)
    describeParked(suite)
    describeVerifying(suite)
    describeTasks(suite)
    describeRaces(suite)
    describeCredit(suite)
  })
}

const about = (credit: string): Decision => ({ ...makeMismatch(), credit })
const unknownAbout = (credit: string): Decision => ({ ...makeUnmatched(), credit })

/** Decides a report about money that fits no order, with the tasks of its handlers. */
function decideCredit(inbox: Inbox, id: string, decision: Decision): Promise<StoredDecision> {
  const event = decision.kind === 'unknown_order' ? 'onUnknownOrder' : 'onMismatch'
  return inbox.reports.decide(id, { decision, event })
}

const registerBoth = (inbox: Inbox, name?: string): ReturnType<typeof register> =>
  register(inbox, {
    ...(name !== undefined && { name }),
    handlers: { onMismatch: 'onMismatch', onUnknownOrder: 'onUnknownOrder' },
  })

const LIMITS = { onMismatch: CALLS, onUnknownOrder: CALLS }

function describeCredit({ test }: Suite<InboxHarness>): void {
  test('S115 decides a credit for one report, whose handlers have its key', async ({ inbox }) => {
    await registerBoth(inbox)
    const first = await storeNew(inbox)
    const second = await storeNew(inbox, { key: 'key-2', reference: 'order-2', txHash: 'tx-2' })
    assert.equal((await decideCredit(inbox, first.id, about('credit-1'))).isRecorded, true)
    const standing = await decideCredit(inbox, second.id, about('credit-1'))
    assert.deepEqual([standing.isRecorded, standing.toldAs], [false, 'asset_mismatch'])
    assert.equal((await findReport(inbox, second.id)).state, 'undecided')
    const tasks = await claimTasks(inbox, { limits: LIMITS })
    const key = handlerTaskKey('onMismatch', { ...first, credit: 'credit-1' })
    assert.deepEqual(keysOf(tasks), [key])
    const other = { ...second, credit: 'credit-1' }
    assert.equal(handlerTaskKey('onMismatch', other), key, 'the key is that of the credit')
  })
  test('S115 decides a credit again for its own report', async ({ inbox }) => {
    await registerBoth(inbox)
    const { id } = await storeNew(inbox)
    const parked = { decision: unknownAbout('credit-1'), event: 'onUnknownOrder' } as const
    for (let round = 0; round < 2; round++) {
      const standing = await inbox.reports.decide(id, { ...parked, retryInMs: SWEEP_MS })
      assert.deepEqual([standing.isRecorded, standing.toldAs], [true, undefined])
    }
    assert.equal((await claimTasks(inbox, { limits: LIMITS })).length, 1)
  })
  test('S115 decides a credit of an unknown order once more, for its order', async ({ inbox }) => {
    await registerBoth(inbox)
    const [first = '', second = '', third = ''] = await storeMany(inbox, 3)
    assert.equal((await decideCredit(inbox, first, unknownAbout('credit-1'))).isRecorded, true)
    assert.equal((await decideCredit(inbox, second, about('credit-1'))).isRecorded, true)
    const { toldAs } = await decideCredit(inbox, third, unknownAbout('credit-1'))
    assert.equal(toldAs, 'asset_mismatch')
    const tasks = await claimTasks(inbox, { limits: LIMITS })
    assert.deepEqual(handlersOf(tasks), ['onMismatch', 'onUnknownOrder'])
  })
  test('S119 decides a credit for each name', async ({ inbox }) => {
    const ids: string[] = []
    for (const name of ['a', 'b']) {
      await registerBoth(inbox, name)
      const { id } = await storeNew(inbox, { name })
      ids.push(id)
      assert.equal((await decideCredit(inbox, id, about('credit-1'))).isRecorded, true)
    }
    for (const name of ['a', 'b']) {
      assert.equal((await claimTasks(inbox, { name, limits: LIMITS })).length, 1)
    }
  })
  test('keeps a final decision that is stored before one about a credit', async ({ inbox }) => {
    const { id } = await storeDecided(inbox)
    const standing = await decideCredit(inbox, id, about('credit-1'))
    assert.deepEqual([standing.isRecorded, standing.toldAs], [false, undefined])
    assertDecision(standing.decision, makePaid())
    const other = await storeNew(inbox, { key: 'key-2' })
    assert.equal((await decideCredit(inbox, other.id, about('credit-1'))).isRecorded, true)
  })
  test(`S115 decides a credit for one of ${CALLS} concurrent reports`, async ({ inbox }) => {
    await registerBoth(inbox)
    const ids = await storeMany(inbox, CALLS)
    const standings = await Promise.all(ids.map((id) => decideCredit(inbox, id, about('credit-1'))))
    assert.equal(standings.filter(({ isRecorded }) => isRecorded).length, 1)
    assert.equal(standings.filter(({ toldAs }) => toldAs === 'asset_mismatch').length, CALLS - 1)
    assert.equal((await claimTasks(inbox, { limits: LIMITS })).length, 1)
  })
}

function describeFinal({ test }: Suite<InboxHarness>): void {
  test('records every kind of decision as given', async ({ inbox }) => {
    for (const [index, decision] of DECISIONS.entries()) {
      const { id } = await storeNew(inbox, { key: `key-${index}` })
      const standing = await inbox.reports.decide(id, { decision })
      assert.equal(standing.isRecorded, true)
      assertDecision(standing.decision, decision)
      const report = await findReport(inbox, id)
      assert.equal(report.state, 'decided')
      assertDecision(report.decision, decision)
    }
  })
  test('keeps the first final decision, also when an equal one follows', async ({ inbox }) => {
    const { id } = await storeDecided(inbox)
    const later: Decision = { kind: 'duplicate', ...facts }
    for (const decision of [later, makePaid()]) {
      const standing = await inbox.reports.decide(id, { decision, tasks: makeTasks('late') })
      assert.equal(standing.isRecorded, false)
      assertDecision(standing.decision, makePaid())
    }
    const tasks = await claimTasks(inbox)
    assert.deepEqual(tasks, [], 'a decision that is not recorded adds no tasks')
  })
}

function describePaid({ test }: Suite<InboxHarness>): void {
  test('S38 replaces another final decision by paid, and adds its tasks', async ({ inbox }) => {
    const { id } = await storeNew(inbox)
    await inbox.reports.decide(id, { decision: { kind: 'duplicate', ...facts } })
    const standing = await inbox.reports.decide(id, {
      decision: makePaid(),
      tasks: makeTasks('paid'),
    })
    assert.equal(standing.isRecorded, true)
    assertDecision(standing.decision, makePaid())
    assertDecision((await findReport(inbox, id)).decision, makePaid())
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
  })
}

function describeParked({ test }: Suite<InboxHarness>): void {
  const parked = { decision: makeUnmatched(), retryInMs: SWEEP_MS }
  test('S25 parks a report and decides it later', async ({ inbox }) => {
    const { id } = await storeNew(inbox)
    assert.equal((await inbox.reports.decide(id, parked)).isRecorded, true)
    const report = await findReport(inbox, id)
    assert.equal(report.state, 'parked')
    assertDecision(report.decision, makeUnmatched())
    assert.equal((await inbox.reports.decide(id, parked)).isRecorded, true, 'parked again')
    const standing = await inbox.reports.decide(id, {
      decision: makePaid(),
      tasks: makeTasks('paid'),
    })
    assert.equal(standing.isRecorded, true)
    assertDecision(standing.decision, makePaid())
    assert.equal((await findReport(inbox, id)).state, 'decided')
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
  })
  test('does not park a decided report', async ({ inbox }) => {
    const { id } = await storeDecided(inbox)
    const standing = await inbox.reports.decide(id, parked)
    assert.equal(standing.isRecorded, false)
    assertDecision(standing.decision, makePaid())
    assert.equal((await findReport(inbox, id)).state, 'decided')
  })
}

function describeVerifying({ test }: Suite<InboxHarness>): void {
  test('S54 parks a report that waits for its proof, with the task that proves it', async (harness) => {
    const { inbox } = harness
    const { id } = await storeNew(inbox)
    const tasks = [{ idempotencyKey: 'proof-1', handler: 'verifyOnChain' }]
    await inbox.reports.decide(id, { decision: verifying, tasks, retryInMs: SWEEP_MS })
    const report = await findReport(inbox, id)
    assert.equal(report.state, 'parked')
    assertDecision(report.decision, verifying)
    const claimed = await claimTasks(inbox, { limits: { verifyOnChain: 10 } })
    assert.deepEqual(keysOf(claimed), ['proof-1'])
  })
  test('S55 replaces unverified by paid and by no other decision', async ({ inbox }) => {
    const { id } = await storeNew(inbox)
    await inbox.reports.decide(id, { decision: unverified })
    const waiting = { decision: verifying, retryInMs: SWEEP_MS }
    assert.equal((await inbox.reports.decide(id, waiting)).isRecorded, false)
    assertDecision((await findReport(inbox, id)).decision, unverified)
    const paid = await inbox.reports.decide(id, { decision: makePaid(), tasks: makeTasks('paid') })
    assert.equal(paid.isRecorded, true)
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
  })
}

function describeTasks({ test }: Suite<InboxHarness>): void {
  test('adds every task of a decision, also when it parks the report', async ({ inbox }) => {
    const { id } = await storeNew(inbox)
    const tasks = makeTasks('a', 'b')
    await inbox.reports.decide(id, { decision: makeUnmatched(), tasks, retryInMs: SWEEP_MS })
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['a', 'b'])
  })
  test('adds one task per idempotency key, whichever report brings it', async ({ inbox }) => {
    const first = await storeParked(inbox)
    const second = await storeNew(inbox, { key: 'key-2' })
    const parked = { decision: makeUnmatched(), retryInMs: SWEEP_MS }
    await inbox.reports.decide(first.id, { ...parked, tasks: makeTasks('a') })
    await inbox.reports.decide(first.id, { ...parked, tasks: makeTasks('a', 'b') })
    await inbox.reports.decide(second.id, { decision: makePaid(), tasks: makeTasks('b', 'c') })
    const tasks = await claimTasks(inbox)
    assert.deepEqual(keysOf(tasks), ['a', 'b', 'c'])
    const shared = tasks.find(({ idempotencyKey }) => idempotencyKey === 'b')
    assert.equal(shared?.reportId, first.id)
  })
  test('does not add a finished task again', async ({ inbox }) => {
    const first = await storeNew(inbox)
    const second = await storeNew(inbox, { key: 'key-2' })
    await inbox.reports.decide(first.id, { decision: makePaid(), tasks: makeTasks('a') })
    for (const task of await claimTasks(inbox)) await inbox.tasks.finish(task, { kind: 'done' })
    await inbox.reports.decide(second.id, { decision: makePaid(), tasks: makeTasks('a') })
    assert.deepEqual(await claimTasks(inbox), [])
  })
}

function describeRaces({ test }: Suite<InboxHarness>): void {
  test(`S38 records one of ${CALLS} concurrent decisions, with its tasks only`, async (harness) => {
    const { inbox } = harness
    const { id } = await storeNew(inbox)
    const standings = await callConcurrently(CALLS, (index) =>
      inbox.reports.decide(id, {
        decision: makePaid({ txHash: `tx-${index}` }),
        tasks: makeTasks(`tx-${index}`),
      }),
    )
    const [winner, ...others] = standings.filter(({ isRecorded }) => isRecorded)
    assert.ok(winner !== undefined && others.length === 0, 'exactly one is recorded')
    for (const { decision } of standings) assertDecision(decision, winner.decision)
    assert.deepEqual(keysOf(await claimTasks(inbox)), [winner.decision.txHash])
  })
  test(`S38 adds one task when ${CALLS} reports bring its key concurrently`, async ({ inbox }) => {
    const ids = await storeMany(inbox, CALLS)
    const record = { decision: makePaid(), tasks: makeTasks('a') }
    await Promise.all(ids.map((id) => inbox.reports.decide(id, record)))
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['a'])
  })
}
