import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  claimOne,
  claimTasks,
  decideWithTasks,
  handlersOf,
  keysOf,
  LEASE_MS,
  LONG_MS,
  makePaid,
  makeTasks,
  MARGIN_MS,
  storeNew,
  storeDecided,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

/** claimTasks and extendLease: one process at a time runs a task. */
export function describeTaskLeases(suite: Suite<InboxHarness>): void {
  suite.describe('claimTasks and extendLease', () => {
    describeClaims(suite)
    describeLimits(suite)
    describeBacklogs(suite)
    describeLostLeases(suite)
    describeExtensions(suite)
  })
}

function describeClaims({ test }: Suite<InboxHarness>): void {
  test('claims nothing before a decision', async ({ inbox, advance }) => {
    await storeNew(inbox)
    await advance(LEASE_MS)
    assert.deepEqual(await claimTasks(inbox), [])
  })
  test('claims a task at once after its decision, and only once', async ({ inbox, advance }) => {
    const report = await storeDecided(inbox, {
      merchant: 'shop-a',
      reference: 'order:1/ü',
      tasks: makeTasks('a'),
    })
    const { id, leaseId, ...task } = await claimOne(inbox)
    assert.deepEqual(task, {
      idempotencyKey: 'a',
      handler: 'onPaid',
      reportId: report.id,
      merchant: 'shop-a',
      reference: 'order:1/ü',
      txHash: report.txHash,
      attempt: 1,
    })
    assert.ok(id !== '' && leaseId !== '', 'the task and its lease have ids')
    await advance(LEASE_MS - MARGIN_MS)
    assert.deepEqual(await claimTasks(inbox), [])
  })
  test('S39 gives each task to one of several concurrent claims', async ({ inbox }) => {
    const keys = Array.from({ length: 10 }, (_, index) => `task-${index}`)
    await decideWithTasks(inbox, ...keys)
    const parts = await callConcurrently(20, () => claimTasks(inbox, { limits: { onPaid: 3 } }))
    const claimed = keysOf(parts.flat())
    assert.equal(new Set(claimed).size, claimed.length, 'no task is claimed twice')
    assert.deepEqual([...claimed, ...keysOf(await claimTasks(inbox))].sort(), keys)
  })
}

function describeLimits({ test }: Suite<InboxHarness>): void {
  test('claims tasks of the given handlers only', async ({ inbox }) => {
    const { id } = await storeNew(inbox)
    const handlers = ['onPaid', 'onPaid.ship', 'onPaid.mail']
    const tasks = handlers.map((handler) => ({ idempotencyKey: `key ${handler}`, handler }))
    await inbox.reports.decide(id, { decision: makePaid(), tasks })
    assert.deepEqual(await claimTasks(inbox, { limits: {} }), [])
    assert.deepEqual(await claimTasks(inbox, { limits: { onFailed: 9, onpaid: 9 } }), [])
    assert.deepEqual(await claimTasks(inbox, { limits: { onPaid: 0 } }), [])
    const ours = await claimTasks(inbox, { limits: { onPaid: 9, 'onPaid.mail': 9 } })
    assert.deepEqual(handlersOf(ours), ['onPaid', 'onPaid.mail'])
    const rest = await claimTasks(inbox, { limits: { onPaid: 9, 'onPaid.ship': 9 } })
    assert.deepEqual(handlersOf(rest), ['onPaid.ship'])
  })
  test('S77 claims at most the limit of each handler, and the others next', async ({ inbox }) => {
    const { id } = await storeNew(inbox)
    const tasks = ['slow', 'quick'].flatMap((handler) =>
      [1, 2, 3, 4].map((number) => ({ idempotencyKey: `${handler} ${number}`, handler })),
    )
    await inbox.reports.decide(id, { decision: makePaid(), tasks })
    const first = await claimTasks(inbox, { limits: { slow: 1, quick: 3 } })
    assert.deepEqual(handlersOf(first), ['quick', 'quick', 'quick', 'slow'])
    const second = await claimTasks(inbox, { limits: { slow: 0, quick: 3 } })
    assert.deepEqual(handlersOf(second), ['quick'])
    const third = await claimTasks(inbox, { limits: { slow: 10 } })
    assert.deepEqual(handlersOf(third), ['slow', 'slow', 'slow'])
    assert.equal(new Set(keysOf([...first, ...second, ...third])).size, 8)
  })
}

function describeBacklogs({ test }: Suite<InboxHarness>): void {
  test('S77 claims a task behind a backlog of other handlers', async ({ inbox }) => {
    await decideWithBacklog(inbox)
    assert.deepEqual(keysOf(await claimTasks(inbox, { limits: { onPaid: 1 } })), ['ours'])
  })
  test('S77 claims a task of each handler although one of them has a backlog', async (harness) => {
    const { inbox } = harness
    await decideWithBacklog(inbox)
    const tasks = await claimTasks(inbox, { limits: { 'onPaid.slow': 2, onPaid: 2 } })
    assert.deepEqual(handlersOf(tasks), ['onPaid', 'onPaid.slow', 'onPaid.slow'])
  })
  test('claims the oldest tasks of a handler first', async ({ inbox, advance }) => {
    for (const key of ['c', 'a', 'b']) {
      await decideWithTasks(inbox, key)
      await advance(1000)
    }
    assert.deepEqual(keysOf(await claimTasks(inbox, { limits: { onPaid: 2 } })), ['a', 'c'])
  })
}

function describeLostLeases({ test }: Suite<InboxHarness>): void {
  test('S47 claims a task again when its lease has expired, with a new lease id', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    const lost = await claimOne(inbox)
    await advance(LEASE_MS + MARGIN_MS)
    const held = await claimOne(inbox)
    assert.deepEqual([held.id, held.idempotencyKey, held.attempt], [lost.id, 'a', 2])
    assert.notEqual(held.leaseId, lost.leaseId)
  })
  test('S47 S75 rejects every call with a lost lease; the task stays with its new holder', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    const lost = await claimOne(inbox)
    await advance(LEASE_MS + MARGIN_MS)
    const held = await claimOne(inbox)
    const retry = { kind: 'retry', retryInMs: 0, error: 'late' } as const
    assert.equal(await inbox.tasks.extendLease(lost, LONG_MS), false)
    assert.equal(await inbox.tasks.finish(lost, { kind: 'done' }), false)
    assert.equal(await inbox.tasks.finish(lost, { kind: 'relayed' }), false)
    assert.equal(await inbox.tasks.finish(lost, retry), false)
    assert.equal(await inbox.tasks.finish(lost, { kind: 'dead', error: 'late' }), false)
    await advance(LEASE_MS - MARGIN_MS)
    assert.deepEqual(await claimTasks(inbox), [])
    assert.deepEqual(await inbox.tasks.listDead({ limit: 10 }), [])
    assert.equal(await inbox.tasks.finish(held, { kind: 'done' }), true)
  })
  test('S75 gives an expired task to one of several concurrent claims', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    await claimOne(inbox)
    await advance(LEASE_MS + MARGIN_MS)
    const parts = await callConcurrently(20, () => claimTasks(inbox))
    assert.equal(parts.flat().length, 1)
  })
}

function describeExtensions({ test }: Suite<InboxHarness>): void {
  test('S51 S76 keeps a task with its holder while the lease is extended', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    const task = await claimOne(inbox)
    for (let round = 0; round < 3; round++) {
      await advance(LEASE_MS - MARGIN_MS)
      assert.deepEqual(await claimTasks(inbox), [])
      assert.equal(await inbox.tasks.extendLease(task, LEASE_MS), true)
    }
    await advance(LEASE_MS + MARGIN_MS)
    assert.equal((await claimOne(inbox)).attempt, 2)
  })
  test('S76 releases a task at once when its lease is extended by 0', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    const task = await claimOne(inbox)
    assert.equal(await inbox.tasks.extendLease(task, 0), true)
    assert.equal((await claimOne(inbox)).id, task.id)
  })
  test('does not extend the lease of a finished task', async ({ inbox, advance }) => {
    await decideWithTasks(inbox, 'a')
    const task = await claimOne(inbox)
    await inbox.tasks.finish(task, { kind: 'done' })
    assert.equal(await inbox.tasks.extendLease(task, LEASE_MS), false)
    await advance(LONG_MS)
    assert.deepEqual(await claimTasks(inbox), [])
  })
}

/** Adds 150 tasks of `onPaid.slow`, and then one of `onPaid`. */
async function decideWithBacklog(inbox: Inbox): Promise<void> {
  const { id } = await storeNew(inbox)
  const backlog = Array.from({ length: 150 }, (_, index) => ({
    idempotencyKey: `slow-${index}`,
    handler: 'onPaid.slow',
  }))
  await inbox.reports.decide(id, {
    decision: makePaid(),
    tasks: [...backlog, ...makeTasks('ours')],
  })
}
