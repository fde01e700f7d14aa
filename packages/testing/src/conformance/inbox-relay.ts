import assert from 'node:assert/strict'
import type { Inbox, Task } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
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

/** claimRelay, and the outcome `relayed`: tasks that a queue engine runs. */
export function describeRelay(suite: Suite<InboxHarness>): void {
  suite.describe('claimRelay', () => {
    describeClaims(suite)
    describeRelayed(suite)
  })
}

function describeClaims({ test }: Suite<InboxHarness>): void {
  test('S88 claims tasks of every handler except proofs', async ({ inbox }) => {
    const { id, txHash } = await storeNew(inbox, { merchant: 'shop-a' })
    const tasks = ['onPaid', 'onPaid.ship', 'verifyOnChain'].map((handler) => {
      return { idempotencyKey: `key ${handler}`, handler }
    })
    await inbox.decide(id, { decision: makePaid(), tasks })
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
    const tasks = await inbox.claimRelay({ name: 'other', leaseMs: LEASE_MS, limit: 10 })
    assert.deepEqual(keysOf(tasks), ['a'])
  })
}

function describeRelayed({ test }: Suite<InboxHarness>): void {
  test('S88 never claims a relayed task again', async ({ inbox, advance }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    const [task] = await claimRelay(inbox)
    assert.ok(task)
    assert.equal(await inbox.finishTask(task, { kind: 'relayed' }), true)
    assert.equal(await inbox.finishTask(task, { kind: 'relayed' }), false, 'the lease has ended')
    await advance(LONG_MS)
    assert.deepEqual(await claimRelay(inbox), [])
    assert.deepEqual(await claimTasks(inbox), [])
    assert.equal(await inbox.nextDueInMs({ name: NAME }), undefined)
    const { open, dead } = await inbox.stats()
    assert.deepEqual([open, dead], [0, 0])
  })
  test('S88 does not add a relayed task again', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    for (const task of await claimRelay(inbox)) await inbox.finishTask(task, { kind: 'relayed' })
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
    assert.equal(await inbox.finishTask(lost, { kind: 'relayed' }), false)
    assert.equal(await inbox.finishTask(again, { kind: 'relayed' }), true)
  })
}

function claimRelay(inbox: Inbox, { limit = 100 } = {}): Promise<Task[]> {
  return inbox.claimRelay({ name: NAME, leaseMs: LEASE_MS, limit })
}
