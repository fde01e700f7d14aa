import assert from 'node:assert/strict'
import type { Inbox, Task, TaskOutcome } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertAge,
  claimTasks,
  decideWithTasks,
  handlersOf,
  keysOf,
  LEASE_MS,
  LONG_MS,
  makePaid,
  makeTasks,
  MARGIN_MS,
  NAME,
  storeNew,
  storeDecided,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const AGE_MS = 5 * MARGIN_MS

/** claimRelay, and the outcome `relayed`: tasks that a queue engine runs. */
export function describeRelay(suite: Suite<InboxHarness>): void {
  suite.describe('claimRelay', () => {
    describeClaims(suite)
    describeRelayed(suite)
  })
  suite.describe('listRelayed, finishRelayed and replay', () => {
    describeFinished(suite)
    describeHandedOverAgain(suite)
  })
}

function describeClaims({ test }: Suite<InboxHarness>): void {
  test('S88 claims tasks of every handler except proofs', async ({ inbox }) => {
    const { id, txHash } = await storeNew(inbox, { merchant: 'shop-a' })
    const tasks = ['onPaid', 'onPaid.ship', 'verifyOnChain'].map((handler) => {
      return { idempotencyKey: `key ${handler}`, handler }
    })
    await inbox.reports.decide(id, { decision: makePaid(), tasks })
    const claimed = await claimRelay(inbox)
    assert.deepEqual(handlersOf(claimed), ['onPaid', 'onPaid.ship'])
    for (const task of claimed) {
      const { reportId, merchant, reference } = task
      assert.deepEqual([reportId, merchant, reference], [id, 'shop-a', 'order-1'])
      assert.equal(task.txHash, txHash)
    }
    const proofs = await claimTasks(inbox, { limits: { verifyOnChain: 5 } })
    assert.deepEqual(handlersOf(proofs), ['verifyOnChain'])
  })
  test('claims at most `limit` tasks, and the others next', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a', 'b', 'c')
    const first = await claimRelay(inbox, { limit: 2 })
    const second = await claimRelay(inbox, { limit: 2 })
    assert.deepEqual([first.length, second.length], [2, 1])
    assert.deepEqual(keysOf([...first, ...second]), ['a', 'b', 'c'])
  })
  test('S88 gives each task to one of several concurrent relays', async ({ inbox }) => {
    const keys = Array.from({ length: 10 }, (_, index) => `task-${index}`)
    await decideWithTasks(inbox, ...keys)
    const parts = await callConcurrently(20, () => claimRelay(inbox, { limit: 3 }))
    const claimed = keysOf(parts.flat())
    assert.equal(new Set(claimed).size, claimed.length, 'no task is claimed twice')
    assert.deepEqual([...claimed, ...keysOf(await claimRelay(inbox))].sort(), keys)
  })
  test('S60 claims no task of another name', async ({ inbox }) => {
    await storeDecided(inbox, { name: 'other', tasks: makeTasks('a') })
    assert.deepEqual(await claimRelay(inbox), [])
    const tasks = await inbox.tasks.claimRelay({ name: 'other', leaseMs: LEASE_MS, limit: 10 })
    assert.deepEqual(keysOf(tasks), ['a'])
  })
}

function describeRelayed({ test }: Suite<InboxHarness>): void {
  test('S88 never claims a relayed task again', async ({ inbox, advance }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    const [task] = await claimRelay(inbox)
    assert.ok(task)
    assert.equal(await inbox.tasks.finish(task, { kind: 'relayed' }), true)
    assert.equal(await inbox.tasks.finish(task, { kind: 'relayed' }), false, 'the lease has ended')
    await advance(LONG_MS)
    assert.deepEqual(await claimRelay(inbox), [])
    assert.deepEqual(await claimTasks(inbox), [])
    assert.equal(await inbox.processes.nextDueInMs({ name: NAME }), undefined)
    const { open, dead } = await inbox.stats()
    assert.deepEqual([open, dead], [0, 0])
  })
  test('S88 does not add a relayed task again', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    for (const task of await claimRelay(inbox)) await inbox.tasks.finish(task, { kind: 'relayed' })
    await storeDecided(inbox, { key: 'key-2', tasks: makeTasks('a') })
    assert.deepEqual(await claimRelay(inbox), [])
  })
  test('S88 claims a task again when the relay was killed before it marked the task', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    const [lost] = await claimRelay(inbox)
    await advance(LEASE_MS - MARGIN_MS)
    assert.deepEqual(await claimRelay(inbox), [])
    await advance(2 * MARGIN_MS)
    const [again] = await claimRelay(inbox)
    assert.ok(lost && again)
    assert.deepEqual([again.id, again.idempotencyKey], [lost.id, 'a'])
    assert.equal(await inbox.tasks.finish(lost, { kind: 'relayed' }), false)
    assert.equal(await inbox.tasks.finish(again, { kind: 'relayed' }), true)
  })
}

function describeFinished({ test }: Suite<InboxHarness>): void {
  test('S111 lists and counts relayed tasks, oldest first, until the engine has finished them', async (harness) => {
    const { inbox, advance } = harness
    const { id, txHash } = await storeDecided(inbox, { tasks: makeTasks('a') })
    await relayAll(inbox)
    await advance(AGE_MS)
    await storeDecided(inbox, { key: 'key-2', tasks: makeTasks('b') })
    await relayAll(inbox)
    await advance(AGE_MS)
    const relayed = await inbox.tasks.listRelayed({ name: NAME, limit: 10 })
    assert.deepEqual(keysOf(relayed), ['a', 'b'])
    const [first] = relayed
    assert.ok(first)
    const { reportId, handler, reference } = first
    assert.deepEqual(
      [reportId, handler, reference, first.txHash],
      [id, 'onPaid', 'order-1', txHash],
    )
    assert.equal((await inbox.tasks.listRelayed({ name: NAME, limit: 1 })).length, 1)
    assert.deepEqual(await inbox.tasks.listRelayed({ name: 'other', limit: 10 }), [])
    const [shown] = await inbox.tasks.list({ reportIds: [id] })
    assert.equal(shown?.relayedAtMs, first.relayedAtMs)
    await assertRelayed(inbox, 2, 2 * AGE_MS)
    assert.equal(await finish(inbox, 'a', { kind: 'done' }), true)
    await assertRelayed(inbox, 1, AGE_MS)
    assert.equal(await finish(inbox, 'a', { kind: 'done' }), false, 'it is done')
    assert.equal(await finish(inbox, 'a', { kind: 'dead', error: 'no' }), false, 'it is done')
    assert.equal(await finish(inbox, 'unknown', { kind: 'done' }), false)
    const other = { name: 'other', idempotencyKey: 'b', outcome: { kind: 'done' } } as const
    assert.equal(await inbox.tasks.finishRelayed(other), false)
    assert.equal(await finish(inbox, 'b', { kind: 'dead', error: 'no stock' }), true)
    await assertRelayed(inbox, 0, undefined)
    const [dead] = await inbox.tasks.listDead({ limit: 10 })
    assert.deepEqual([dead?.idempotencyKey, dead?.error], ['b', 'no stock'])
    // An operator has retried its job in the engine.
    assert.equal(await finish(inbox, 'b', { kind: 'done' }), true)
    assert.deepEqual(await inbox.tasks.listDead({ limit: 10 }), [])
  })
  test('S111 keeps the outcome of a job that ends before its task is marked as relayed', async ({
    inbox,
    advance,
  }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    const [task] = await claimRelay(inbox)
    assert.ok(task)
    assert.equal(await finish(inbox, 'a', { kind: 'done' }), true)
    assert.equal(await inbox.tasks.finish(task, { kind: 'relayed' }), false)
    await advance(LONG_MS)
    assert.deepEqual(await claimRelay(inbox), [])
    assert.deepEqual(await inbox.tasks.listRelayed({ name: NAME, limit: 10 }), [])
  })
}

function describeHandedOverAgain({ test }: Suite<InboxHarness>): void {
  test('S111 hands a relayed task over again that an operator resets, under the same key', async ({
    inbox,
    advance,
  }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    await relayAll(inbox)
    const [relayed] = await inbox.tasks.listRelayed({ name: NAME, limit: 1 })
    assert.ok(relayed)
    await advance(AGE_MS)
    assert.equal(await inbox.tasks.replay(relayed.id), true)
    assert.equal(await inbox.tasks.replay(relayed.id), false, 'it is open')
    assert.deepEqual(await inbox.tasks.listRelayed({ name: NAME, limit: 10 }), [])
    const [again] = await claimRelay(inbox)
    assert.ok(again)
    assert.deepEqual([again.id, again.idempotencyKey], [relayed.id, 'a'])
    assert.equal(again.relayedAtMs, relayed.relayedAtMs)
    assert.equal(await inbox.tasks.finish(again, { kind: 'relayed' }), true)
    await assertRelayed(inbox, 1, 0)
  })
  test('S111 resets no relayed task in bulk', async ({ inbox }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    await relayAll(inbox)
    assert.equal(await inbox.tasks.replayWhere({}), 0)
  })
  test('S111 deletes the relayed tasks of a handler that is unsubscribed', async ({ inbox }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    await relayAll(inbox)
    await inbox.processes.unsubscribe({ name: NAME, handler: 'onPaid' })
    assert.equal((await inbox.stats({ name: NAME })).relayed, 0)
  })
}

async function relayAll(inbox: Inbox): Promise<void> {
  for (const task of await claimRelay(inbox)) await inbox.tasks.finish(task, { kind: 'relayed' })
}

type Outcome = Extract<TaskOutcome, { kind: 'done' | 'dead' }>

function finish(inbox: Inbox, idempotencyKey: string, outcome: Outcome): Promise<boolean> {
  return inbox.tasks.finishRelayed({ name: NAME, idempotencyKey, outcome })
}

async function assertRelayed(
  inbox: Inbox,
  count: number,
  ageMs: number | undefined,
): Promise<void> {
  const { relayed, oldestRelayedAgeMs } = await inbox.stats({ name: NAME })
  assert.equal(relayed, count)
  if (ageMs === undefined) assert.equal(oldestRelayedAgeMs, undefined)
  else assertAge(oldestRelayedAgeMs, ageMs)
}

function claimRelay(inbox: Inbox, { limit = 100 } = {}): Promise<Task[]> {
  return inbox.tasks.claimRelay({ name: NAME, leaseMs: LEASE_MS, limit })
}
