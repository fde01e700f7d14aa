import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import {
  claimOne,
  claimTasks,
  claimTwo,
  decideWithTasks,
  LEASE_MS,
  LONG_MS,
  makeTasks,
  MARGIN_MS,
  storeDecided,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

/** finishTask and listDeadLetters: done, retried, or dead. */
export function describeTaskOutcomes(suite: Suite<InboxHarness>): void {
  suite.describe('finishTask and listDeadLetters', () => {
    describeOutcomes(suite)
    describeRetries(suite)
    describeDead(suite)
    describeDeadLetters(suite)
  })
}

function describeOutcomes({ test }: Suite<InboxHarness>): void {
  test('never runs a finished task again', async ({ inbox, advance }) => {
    await decideWithTasks(inbox, 'a')
    const task = await claimOne(inbox)
    assert.equal(await inbox.tasks.finish(task, { kind: 'done' }), true)
    assert.equal(await inbox.tasks.finish(task, { kind: 'done' }), false, 'the lease has ended')
    await advance(LONG_MS)
    assert.deepEqual(await claimTasks(inbox), [])
    assert.deepEqual(await inbox.tasks.listDead({ limit: 10 }), [])
  })
}

function describeRetries({ test }: Suite<InboxHarness>): void {
  test('S50 retries a failed task after the time that the failure gave, not before', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    const first = await claimOne(inbox)
    const retryInMs = 5 * MARGIN_MS
    const retry = { kind: 'retry', retryInMs, error: 'the mail server is down' } as const
    assert.equal(await inbox.tasks.finish(first, retry), true)
    assert.equal(await inbox.tasks.finish(first, { kind: 'done' }), false, 'the lease has ended')
    await advance(retryInMs - MARGIN_MS)
    assert.deepEqual(await claimTasks(inbox), [])
    await advance(2 * MARGIN_MS)
    const second = await claimOne(inbox)
    assert.deepEqual([second.idempotencyKey, second.attempt], ['a', 2])
    assert.notEqual(second.leaseId, first.leaseId)
  })
  test('retries a failed task later than its lease would have expired', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a')
    const retryInMs = LEASE_MS + 3 * MARGIN_MS
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'retry', retryInMs, error: 'busy' })
    await advance(retryInMs - MARGIN_MS)
    assert.deepEqual(await claimTasks(inbox), [])
    await advance(2 * MARGIN_MS)
    await claimOne(inbox)
  })
  test('accepts an error text of any length and script', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    const error = `не вышло 💎 '"\\ ${'x'.repeat(10_000)}`
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'retry', retryInMs: 0, error })
    assert.equal(await inbox.tasks.finish(await claimOne(inbox), { kind: 'dead', error }), true)
  })
}

function describeDead({ test }: Suite<InboxHarness>): void {
  test('S50 lists a task that has used all attempts, and never runs it again', async (harness) => {
    const { inbox, advance } = harness
    const report = await storeDecided(inbox, { merchant: 'shop-a', tasks: makeTasks('a') })
    const retry = { kind: 'retry', retryInMs: 0, error: 'first' } as const
    await inbox.tasks.finish(await claimOne(inbox), retry)
    const task = await claimOne(inbox)
    assert.equal(await inbox.tasks.finish(task, { kind: 'dead', error: 'last' }), true)
    await advance(LONG_MS)
    assert.deepEqual(await claimTasks(inbox), [])
    assert.deepEqual(await inbox.tasks.listDead({ limit: 10 }), [
      {
        id: task.id,
        reportId: report.id,
        merchant: 'shop-a',
        reference: 'order-1',
        idempotencyKey: 'a',
        handler: 'onPaid',
        attempts: 2,
        error: 'last',
      },
    ])
  })
}

function describeDeadLetters({ test }: Suite<InboxHarness>): void {
  test('S50 does not change the other tasks of the report', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a', 'b')
    const [dead, alive] = await claimTwo(inbox)
    await inbox.tasks.finish(dead, { kind: 'dead', error: 'no' })
    assert.equal(await inbox.tasks.finish(alive, { kind: 'done' }), true)
    const keys = (await inbox.tasks.listDead({ limit: 10 })).map((task) => task.idempotencyKey)
    assert.deepEqual(keys, [dead.idempotencyKey])
  })
  test('lists dead tasks oldest first, up to the limit', async ({ inbox, advance }) => {
    for (const key of ['c', 'a', 'b']) {
      await decideWithTasks(inbox, key)
      await inbox.tasks.finish(await claimOne(inbox), { kind: 'dead', error: key })
      await advance(1000)
    }
    const errors = (await inbox.tasks.listDead({ limit: 2 })).map(({ error }) => error)
    assert.deepEqual(errors, ['c', 'a'])
  })
}
