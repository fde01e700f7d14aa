import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox.js'
import {
  claimOne,
  claimTasks,
  decideWithTasks,
  keysOf,
  LEASE_MS,
  makePaid,
  makeTasks,
  NOW_MS,
  storeNew,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

/** claimTasks and extendLease: one holder at a time. */
export function describeTaskLeases(suite: Suite<InboxHarness>): void {
  suite.runner.describe('claimTasks and extendLease', () => {
    describeClaims(suite)
    describeHandlers(suite)
    describeLostLeases(suite)
    describeExtensions(suite)
  })
}

function describeClaims({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('finds nothing to run before a decision', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox)
      assert.deepEqual(await claimTasks(inbox, { nowMs: LEASE_MS }), [])
    }))
  it('leases a task from the moment of its decision, once', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const delivery = await decideWithTasks(inbox, 'a')
      const { id, leaseId, ...task } = await claimOne(inbox)
      assert.deepEqual(task, {
        idempotencyKey: 'a',
        handler: 'onPaid',
        deliveryId: delivery.id,
        attempt: 1,
      })
      assert.ok(id !== '' && leaseId !== '', 'the task and the lease have names')
      assert.deepEqual(await claimTasks(inbox, { nowMs: LEASE_MS - 1 }), [])
    }))
  it('leases no more than the limit, and the others next', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a', 'b', 'c')
      const first = await claimTasks(inbox, { limit: 2 })
      const second = await claimTasks(inbox, { limit: 2 })
      assert.deepEqual([first.length, second.length], [2, 1])
      assert.deepEqual(keysOf([...first, ...second]), ['a', 'b', 'c'])
    }))
  it('S39 gives each task to one of several claims at once', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const keys = Array.from({ length: 10 }, (_, index) => `task-${index}`)
      await decideWithTasks(inbox, ...keys)
      const parts = await Promise.all(
        Array.from({ length: 20 }, () => claimTasks(inbox, { limit: 3 })),
      )
      const claimed = keysOf(parts.flat())
      assert.equal(new Set(claimed).size, claimed.length, 'none is leased twice')
      assert.deepEqual([...claimed, ...keysOf(await claimTasks(inbox))].sort(), keys)
    }))
}

function describeHandlers({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('leases tasks of the given handlers alone, and leaves the others to who has them', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      const handlers = ['onPaid', 'onPaid.ship', 'onPaid.mail']
      const tasks = handlers.map((handler) => ({ idempotencyKey: `key ${handler}`, handler }))
      await inbox.decide(id, { decision: makePaid(), tasks })
      assert.deepEqual(await claimTasks(inbox, { handlers: [] }), [])
      assert.deepEqual(await claimTasks(inbox, { handlers: ['onFailed', 'onpaid'] }), [])
      const ours = await claimTasks(inbox, { handlers: ['onPaid', 'onPaid.mail'] })
      assert.deepEqual(keysOf(ours), ['key onPaid', 'key onPaid.mail'])
      assert.deepEqual(keysOf(await claimTasks(inbox, { handlers })), ['key onPaid.ship'])
    }))
  it('looks past the tasks of other handlers up to its limit', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      const others = Array.from({ length: 20 }, (_, index) => ({
        idempotencyKey: `other-${index}`,
        handler: 'onPaid.other',
      }))
      await inbox.decide(id, { decision: makePaid(), tasks: [...others, ...makeTasks('ours')] })
      assert.deepEqual(keysOf(await claimTasks(inbox, { limit: 1 })), ['ours'])
    }))
}

function describeLostLeases({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S47 leases a task again when its lease has ended, under another name', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const lost = await claimOne(inbox)
      const held = await claimOne(inbox, { nowMs: LEASE_MS, leaseUntilMs: LEASE_MS + 60_000 })
      assert.deepEqual(
        [held.id, held.idempotencyKey, held.attempt],
        [lost.id, lost.idempotencyKey, 2],
      )
      assert.notEqual(held.leaseId, lost.leaseId)
    }))
  it('S47 refuses whoever lost the lease, and leaves the task to who holds it', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const lost = await claimOne(inbox)
      const until = { nowMs: LEASE_MS, leaseUntilMs: LEASE_MS + 60_000 }
      const held = await claimOne(inbox, until)
      const retry = { kind: 'retry', retryAtMs: NOW_MS, error: 'late' } as const
      assert.equal(await inbox.extendLease(lost, LEASE_MS + 90_000), false)
      assert.equal(await inbox.finishTask(lost, { kind: 'done' }), false)
      assert.equal(await inbox.finishTask(lost, retry), false)
      assert.equal(await inbox.finishTask(lost, { kind: 'dead', error: 'late' }), false)
      assert.deepEqual(await claimTasks(inbox, { nowMs: until.leaseUntilMs - 1 }), [])
      assert.deepEqual(await inbox.listDead({ limit: 10 }), [])
      assert.equal(await inbox.finishTask(held, { kind: 'done' }), true)
    }))
}

function describeExtensions({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S51 keeps a task with its holder as long as the lease is extended', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const task = await claimOne(inbox)
      const extendedMs = LEASE_MS + 30_000
      assert.equal(await inbox.extendLease(task, extendedMs), true)
      assert.deepEqual(await claimTasks(inbox, { nowMs: extendedMs - 1 }), [])
      assert.equal((await claimOne(inbox, { nowMs: extendedMs })).attempt, 2)
    }))
  it('does not extend what is finished', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const task = await claimOne(inbox)
      await inbox.finishTask(task, { kind: 'done' })
      assert.equal(await inbox.extendLease(task, LEASE_MS + 1), false)
      assert.deepEqual(await claimTasks(inbox, { nowMs: LEASE_MS + 1 }), [])
    }))
}
