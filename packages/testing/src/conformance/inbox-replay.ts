import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import {
  claimOne,
  claimTasks,
  decideWithTasks,
  keysOf,
  NAME,
  storeDead,
  UNKNOWN_IDS,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

/** replay and replayWhere: dead tasks that an operator resets. */
export function describeReplay(suite: Suite<InboxHarness>): void {
  suite.describe('replay and replayWhere', () => {
    describeOne(suite)
    describeWhere(suite)
  })
}

function describeOne({ test }: Suite<InboxHarness>): void {
  test('S50 runs a dead task again, at once and with all its attempts', async ({ inbox }) => {
    const task = await storeDead(inbox, 'a')
    assert.equal(await inbox.tasks.replay(task.id), true)
    assert.deepEqual(await inbox.tasks.listDead({ limit: 10 }), [])
    const again = await claimOne(inbox)
    assert.deepEqual([again.id, again.idempotencyKey, again.attempt], [task.id, 'a', 1])
    assert.equal(await inbox.tasks.finish(again, { kind: 'done' }), true)
  })
  test('does not reset a task that is done, open or unknown', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    const task = await claimOne(inbox)
    assert.equal(await inbox.tasks.replay(task.id), false)
    await inbox.tasks.finish(task, { kind: 'done' })
    assert.equal(await inbox.tasks.replay(task.id), false)
    for (const id of UNKNOWN_IDS) assert.equal(await inbox.tasks.replay(id), false)
    assert.equal(await inbox.tasks.replayWhere({}), 0)
    assert.deepEqual(await claimTasks(inbox), [])
  })
}

function describeWhere({ test }: Suite<InboxHarness>): void {
  test('S50 resets the dead tasks that match every given field', async ({ inbox }) => {
    await storeDead(inbox, 'a')
    await storeDead(inbox, 'b', { reference: 'order-2' })
    await storeDead(inbox, 'c', { handler: 'onPaid.mail' })
    assert.equal(await inbox.tasks.replayWhere({ name: 'other' }), 0)
    assert.equal(await inbox.tasks.replayWhere({ handler: 'onPaid', reference: 'order-3' }), 0)
    assert.equal(await inbox.tasks.replayWhere({ handler: 'onPaid', reference: 'order-2' }), 1)
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['b'])
    assert.equal(await inbox.tasks.replayWhere({ handler: 'onPaid.mail' }), 1)
    assert.equal(await inbox.tasks.replayWhere({ name: NAME }), 1)
    assert.deepEqual(await inbox.tasks.listDead({ limit: 10 }), [])
  })
  test('S66 resets the dead tasks of one merchant', async ({ inbox }) => {
    for (const merchant of ['', 'shop-a', 'shop-b']) {
      await storeDead(inbox, `key "${merchant}"`, { merchant })
    }
    assert.equal(await inbox.tasks.replayWhere({ merchant: 'shop-c' }), 0)
    assert.equal(await inbox.tasks.replayWhere({ merchant: 'shop-a', reference: 'order-1' }), 1)
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['key "shop-a"'])
    assert.equal(await inbox.tasks.replayWhere({ merchant: '' }), 1)
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['key ""'])
  })
}
