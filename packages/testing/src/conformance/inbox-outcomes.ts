import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox.js'
import {
  claimOne,
  claimTasks,
  claimTwo,
  decideWithTasks,
  LEASE_MS,
  NOW_MS,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

const FAR_MS = NOW_MS + 365 * 86_400_000

/** finishTask and listDead: done, tried again, or dead. */
export function describeTaskOutcomes(suite: Suite<InboxHarness>): void {
  suite.runner.describe('finishTask and listDead', () => {
    describeOutcomes(suite)
    describeDead(suite)
  })
}

function describeOutcomes({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('never runs again what is done', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const task = await claimOne(inbox)
      assert.equal(await inbox.finishTask(task, { kind: 'done' }), true)
      assert.equal(await inbox.finishTask(task, { kind: 'done' }), false, 'the lease is over')
      assert.deepEqual(await claimTasks(inbox, { nowMs: FAR_MS }), [])
      assert.deepEqual(await inbox.listDead({ limit: 10 }), [])
    }))
  it('S50 runs again at the time that the failure gave, not before', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const first = await claimOne(inbox)
      const retryAtMs = NOW_MS + 2000
      const retry = { kind: 'retry', retryAtMs, error: 'the mail server is down' } as const
      assert.equal(await inbox.finishTask(first, retry), true)
      assert.equal(await inbox.finishTask(first, { kind: 'done' }), false, 'the lease is over')
      assert.deepEqual(await claimTasks(inbox, { nowMs: retryAtMs - 1 }), [])
      const second = await claimOne(inbox, { nowMs: retryAtMs })
      assert.deepEqual([second.idempotencyKey, second.attempt], ['a', 2])
      assert.notEqual(second.leaseId, first.leaseId)
    }))
  it('lets a failure put a task off beyond the end of its lease', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const retryAtMs = LEASE_MS + 60_000
      await inbox.finishTask(await claimOne(inbox), { kind: 'retry', retryAtMs, error: 'busy' })
      assert.deepEqual(await claimTasks(inbox, { nowMs: retryAtMs - 1 }), [])
      await claimOne(inbox, { nowMs: retryAtMs })
    }))
  it('takes an error text of any length and alphabet', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const error = `не вышло 💎 '"\\ ${'x'.repeat(10_000)}`
      await inbox.finishTask(await claimOne(inbox), { kind: 'retry', retryAtMs: NOW_MS, error })
      assert.equal(await inbox.finishTask(await claimOne(inbox), { kind: 'dead', error }), true)
    }))
}

function describeDead({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S50 lists a task that used up its attempts, and never runs it again', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const delivery = await decideWithTasks(inbox, 'a')
      const retry = { kind: 'retry', retryAtMs: NOW_MS, error: 'first' } as const
      await inbox.finishTask(await claimOne(inbox), retry)
      const task = await claimOne(inbox)
      assert.equal(await inbox.finishTask(task, { kind: 'dead', error: 'last' }), true)
      assert.deepEqual(await claimTasks(inbox, { nowMs: FAR_MS }), [])
      assert.deepEqual(await inbox.listDead({ limit: 10 }), [
        {
          id: task.id,
          deliveryId: delivery.id,
          idempotencyKey: 'a',
          handler: 'onPaid',
          attempts: 2,
          error: 'last',
        },
      ])
    }))
  it('S50 leaves the other handlers of the delivery to themselves', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a', 'b')
      const [dead, alive] = await claimTwo(inbox)
      await inbox.finishTask(dead, { kind: 'dead', error: 'no' })
      assert.equal(await inbox.finishTask(alive, { kind: 'done' }), true)
      const keys = (await inbox.listDead({ limit: 10 })).map((task) => task.idempotencyKey)
      assert.deepEqual(keys, [dead.idempotencyKey])
    }))
  it('lists the oldest first, up to the limit', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      for (const key of ['c', 'a', 'b']) {
        await decideWithTasks(inbox, key)
        await inbox.finishTask(await claimOne(inbox), { kind: 'dead', error: key })
      }
      const errors = (await inbox.listDead({ limit: 2 })).map(({ error }) => error)
      assert.deepEqual(errors, ['c', 'a'])
    }))
}
