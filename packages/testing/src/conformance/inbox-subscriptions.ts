import assert from 'node:assert/strict'
import { handlerTaskKey, type Inbox, type NewReport, type Task } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  CALLS,
  claimTasks,
  decideWithTasks,
  handlersOf,
  keysOf,
  makePaid,
  MARGIN_MS,
  NAME,
  redecide,
  register,
  storeDead,
  storeNew,
  storeDecided,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const TTL_MS = 600_000
const ALL = { onPaid: 100, 'onPaid.ship': 100, 'onPaid.mail': 100, onFailed: 100 }

/** register, unsubscribe, and the tasks that a decision schedules for subscribed handlers. */
export function describeSubscriptions(suite: Suite<InboxHarness>): void {
  suite.describe('subscriptions', () => {
    describeScheduling(suite)
    describeSchedulingLimits(suite)
    describeKeys(suite)
    describeRepetitions(suite)
    describeExpiry(suite)
    describeUnsubscribe(suite)
  })
}

function describeScheduling({ test }: Suite<InboxHarness>): void {
  test('S68 schedules every handler of the event that any process has subscribed', async (harness) => {
    const { inbox } = harness
    await register(inbox, { handlers: { onPaid: 'onPaid', onFailed: 'onFailed' } })
    await register(inbox, { handlers: { 'onPaid.ship': 'onPaid' } })
    await register(inbox)
    const report = await decidePaid(inbox)
    const tasks = await claimTasks(inbox, { limits: ALL })
    assert.deepEqual(handlersOf(tasks), ['onPaid', 'onPaid.ship'])
    for (const { reportId } of tasks) assert.equal(reportId, report.id)
  })
  test('S68 schedules the handlers of other processes when a process without handlers decides', async (harness) => {
    const { inbox } = harness
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    // The deciding process has never registered: a tool.
    await decidePaid(inbox)
    assert.deepEqual(handlersOf(await claimTasks(inbox, { limits: ALL })), ['onPaid'])
  })
  test('S69 schedules a handler from the moment it is subscribed', async ({ inbox }) => {
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    await decidePaid(inbox)
    await register(inbox, { handlers: { onPaid: 'onPaid', 'onPaid.mail': 'onPaid' } })
    await decidePaid(inbox, { reference: 'order-2' })
    const tasks = await claimTasks(inbox, { limits: ALL })
    const scheduled = tasks.map(({ reference, handler }) => `${reference} ${handler}`).sort()
    assert.deepEqual(scheduled, ['order-1 onPaid', 'order-2 onPaid', 'order-2 onPaid.mail'])
  })
}

function describeSchedulingLimits({ test }: Suite<InboxHarness>): void {
  test('schedules nothing for an event without subscribed handlers', async ({ inbox }) => {
    await register(inbox, { handlers: { onFailed: 'onFailed' } })
    await decidePaid(inbox)
    assert.deepEqual(await claimTasks(inbox, { limits: ALL }), [])
  })
  test('schedules nothing when the decision is not recorded', async ({ inbox }) => {
    const { id } = await storeDecided(inbox)
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    await inbox.reports.decide(id, { decision: makePaid(), event: 'onPaid' })
    assert.deepEqual(await claimTasks(inbox), [])
  })
  test('schedules further tasks beside the handlers of the event', async ({ inbox }) => {
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    const { id } = await storeNew(inbox)
    const tasks = [{ idempotencyKey: 'audit-1', handler: 'audit' }]
    await inbox.reports.decide(id, { decision: makePaid(), event: 'onPaid', tasks })
    const claimed = await claimTasks(inbox, { limits: { ...ALL, audit: 1 } })
    assert.deepEqual(handlersOf(claimed), ['audit', 'onPaid'])
  })
  test('S60 schedules no handler of another name', async ({ inbox }) => {
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    await register(inbox, { name: 'other', handlers: { 'onPaid.ship': 'onPaid' } })
    await decidePaid(inbox)
    await decidePaid(inbox, { name: 'other' })
    const ours = await claimTasks(inbox, { limits: ALL })
    const theirs = await claimTasks(inbox, { name: 'other', limits: ALL })
    assert.deepEqual([handlersOf(ours), handlersOf(theirs)], [['onPaid'], ['onPaid.ship']])
  })
}

function describeKeys({ test }: Suite<InboxHarness>): void {
  test('gives the task of a handler the key of handlerTaskKey', async ({ inbox }) => {
    await register(inbox, { handlers: { 'onPaid.ship': 'onPaid' } })
    const changes = { merchant: 'shop "ü"', reference: 'заказ:7/💎', txHash: 'a'.repeat(64) }
    const report = await decidePaid(inbox, changes)
    const tasks = await claimTasks(inbox, { limits: ALL })
    assert.deepEqual(keysOf(tasks), [handlerTaskKey('onPaid.ship', report)])
  })
  test('S83 schedules a task for each order when names, merchants and references have separators', async (harness) => {
    const { inbox } = harness
    const orders = [
      { name: 'a', merchant: 'b', reference: 'c:d', txHash: 'e' },
      { name: 'a', merchant: 'b', reference: 'c', txHash: 'd:e' },
      { name: 'a', merchant: 'b:c', reference: 'd', txHash: 'e' },
      { name: 'a:b', merchant: 'c', reference: 'd', txHash: 'e' },
      { name: 'a', merchant: 'b","c', reference: 'd', txHash: 'e' },
      { name: 'a', merchant: 'b', reference: 'c","d', txHash: 'e' },
      { name: 'a', merchant: '', reference: 'b:c:d', txHash: 'e' },
    ]
    const tasks: Task[] = []
    for (const name of ['a', 'a:b']) {
      await register(inbox, { name, handlers: { onPaid: 'onPaid', 'onPaid:a': 'onPaid' } })
    }
    for (const order of orders) await decidePaid(inbox, order)
    for (const name of ['a', 'a:b']) {
      tasks.push(...(await claimTasks(inbox, { name, limits: { onPaid: 50, 'onPaid:a': 50 } })))
    }
    assert.equal(new Set(keysOf(tasks)).size, 2 * orders.length)
  })
  test('S66 schedules a task for each merchant when references and transactions are equal', async (harness) => {
    const { inbox } = harness
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    for (const merchant of ['', 'shop-a', 'shop-b']) await decidePaid(inbox, { merchant })
    const tasks = await claimTasks(inbox)
    const merchants = tasks.map(({ merchant }) => merchant).sort()
    assert.deepEqual(merchants, ['', 'shop-a', 'shop-b'])
    assert.equal(new Set(keysOf(tasks)).size, 3)
  })
}

function describeRepetitions({ test }: Suite<InboxHarness>): void {
  test('schedules one task for two reports of one transfer', async ({ inbox }) => {
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    await decidePaid(inbox, { key: 'webhook' })
    await decidePaid(inbox, { key: 'chain', source: 'chain' })
    assert.equal((await claimTasks(inbox)).length, 1)
  })
  test('S71 does not schedule a handler again when its report is decided again', async (harness) => {
    const { inbox } = harness
    await register(inbox, { handlers: { onFailed: 'onFailed' } })
    const { id, reference, txHash } = await storeNew(inbox)
    const decision = { kind: 'failed', reference, txHash, status: 'error' } as const
    await inbox.reports.decide(id, { decision, event: 'onFailed' })
    for (const task of await claimTasks(inbox, { limits: ALL })) {
      await inbox.tasks.finish(task, { kind: 'done' })
    }
    await redecide(inbox)
    assert.equal((await inbox.reports.decide(id, { decision, event: 'onFailed' })).isRecorded, true)
    assert.deepEqual(await claimTasks(inbox, { limits: ALL }), [])
  })
  test(`S38 schedules one task for ${CALLS} concurrent decisions`, async ({ inbox }) => {
    await register(inbox, { handlers: { onPaid: 'onPaid' } })
    await callConcurrently(CALLS, (index) => decidePaid(inbox, { key: `key-${index}` }))
    assert.equal((await claimTasks(inbox)).length, 1)
  })
}

function describeExpiry({ test }: Suite<InboxHarness>): void {
  const both = { onPaid: 'onPaid', 'onPaid.ship': 'onPaid' } as const
  test('ends a subscription when it has not been registered for its time', async (harness) => {
    const { inbox, advance } = harness
    await register(inbox, { handlers: both, subscriptionTtlMs: TTL_MS })
    await advance(TTL_MS - MARGIN_MS)
    await register(inbox, { handlers: { onPaid: 'onPaid' }, subscriptionTtlMs: TTL_MS })
    await decidePaid(inbox)
    assert.equal((await claimTasks(inbox, { limits: ALL })).length, 2, 'both are subscribed')
    await advance(2 * MARGIN_MS)
    await decidePaid(inbox, { reference: 'order-2' })
    const tasks = await claimTasks(inbox, { limits: ALL })
    assert.deepEqual(handlersOf(tasks), ['onPaid'], 'the other has expired')
  })
  test('keeps the tasks of a handler whose subscription has expired', async (harness) => {
    const { inbox, advance } = harness
    await register(inbox, { handlers: { onPaid: 'onPaid' }, subscriptionTtlMs: TTL_MS })
    await decidePaid(inbox)
    await advance(2 * TTL_MS)
    await register(inbox)
    assert.deepEqual(handlersOf(await claimTasks(inbox)), ['onPaid'])
  })
  test(`subscribes the handlers of ${CALLS} processes that register concurrently`, async (harness) => {
    const { inbox } = harness
    await callConcurrently(CALLS, (index) =>
      register(inbox, { handlers: { onPaid: 'onPaid', [`onPaid.${index % 5}`]: 'onPaid' } }),
    )
    await decidePaid(inbox)
    const limits = Object.fromEntries([0, 1, 2, 3, 4].map((index) => [`onPaid.${index}`, 10]))
    assert.equal((await claimTasks(inbox, { limits: { onPaid: 10, ...limits } })).length, 6)
  })
}

function describeUnsubscribe({ test }: Suite<InboxHarness>): void {
  const both = { onPaid: 'onPaid', 'onPaid.ship': 'onPaid' } as const
  test('unsubscribe ends a subscription and deletes its open tasks', async ({ inbox }) => {
    await register(inbox, { handlers: both })
    await decidePaid(inbox)
    const [running] = await claimTasks(inbox, { limits: { 'onPaid.ship': 1 } })
    await decidePaid(inbox, { reference: 'order-2' })
    assert.equal(await inbox.processes.unsubscribe({ name: NAME, handler: 'onPaid.ship' }), true)
    assert.ok(running)
    assert.equal(await inbox.tasks.finish(running, { kind: 'done' }), false)
    await decidePaid(inbox, { reference: 'order-3' })
    const tasks = await claimTasks(inbox, { limits: ALL })
    assert.deepEqual(handlersOf(tasks), ['onPaid', 'onPaid', 'onPaid'])
  })
  test('unsubscribe returns false for a handler that is not subscribed under this name', async (harness) => {
    const { inbox } = harness
    await register(inbox, { handlers: both })
    const ship = { name: NAME, handler: 'onPaid.ship' }
    assert.equal(await inbox.processes.unsubscribe({ ...ship, name: 'other' }), false)
    assert.equal(await inbox.processes.unsubscribe({ ...ship, handler: 'onFailed' }), false)
    assert.equal(await inbox.processes.unsubscribe(ship), true)
    assert.equal(await inbox.processes.unsubscribe(ship), false)
    await decidePaid(inbox)
    assert.deepEqual(handlersOf(await claimTasks(inbox, { limits: ALL })), ['onPaid'])
  })
  test('unsubscribe deletes no task of another handler, and no dead letter', async ({ inbox }) => {
    await register(inbox, { handlers: both })
    await storeDead(inbox, 'dead', { handler: 'onPaid.ship' })
    await decideWithTasks(inbox, 'open')
    await inbox.processes.unsubscribe({ name: NAME, handler: 'onPaid.ship' })
    const { open, dead } = await inbox.stats()
    assert.deepEqual([open, dead], [1, 1])
  })
}

/** Stores a report with a key of its own, and decides it as `paid`. */
async function decidePaid(inbox: Inbox, changes: Partial<NewReport> = {}) {
  const key = JSON.stringify(changes)
  const report = await storeNew(inbox, { key, ...changes })
  const decision = makePaid({ reference: report.reference, txHash: report.txHash })
  await inbox.reports.decide(report.id, { decision, event: 'onPaid' })
  return report
}
