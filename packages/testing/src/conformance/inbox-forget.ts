import assert from 'node:assert/strict'
import type { Decision, Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  claimOne,
  claimTasks,
  decideWithTasks,
  makePaid,
  makeReport,
  makeTasks,
  MARGIN_MS,
  NAME,
  storeDead,
  storeNew,
  storeParked,
  storeDecided,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

const OTHER = 'other'
const AGE_MS = 5 * MARGIN_MS

/** forgetDecided: deletes finished reports, and nothing that is still needed. */
export function describeForget(suite: Suite<InboxHarness>): void {
  suite.describe('forgetDecided', () => {
    describeDeleted(suite)
    describeKept(suite)
    describeOrders(suite)
  })
}

function describeDeleted({ test }: Suite<InboxHarness>): void {
  test('deletes older reports up to the limit, oldest first', async ({ inbox, advance }) => {
    const ids: string[] = []
    for (const key of ['d', 'a', 'c', 'b']) {
      await advance(AGE_MS)
      ids.push((await storeDecided(inbox, { key })).id)
    }
    const query = { name: NAME, olderThanMs: AGE_MS - MARGIN_MS }
    assert.equal(await inbox.reports.forget({ ...query, name: OTHER, limit: 10 }), 0)
    assert.equal(await inbox.reports.forget({ ...query, limit: 2 }), 2)
    const reports = await Promise.all(ids.map((id) => inbox.reports.find(id)))
    const isStored = reports.map((report) => report !== null)
    assert.deepEqual(isStored, [false, false, true, true])
    assert.equal(await inbox.reports.forget({ ...query, limit: 2 }), 1)
    assert.equal(await inbox.reports.forget({ ...query, limit: 2 }), 0)
  })
  test('S58 stores a repetition of a deleted report as a new report', async (harness) => {
    const { inbox, advance } = harness
    await storeDecided(inbox, { tasks: makeTasks('a') })
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'done' })
    await advance(AGE_MS)
    assert.equal(await forget(inbox), 1)
    const again = await inbox.reports.store(makeReport({ wasCompletedBefore: true }))
    assert.deepEqual([again.state, again.wasCompletedBefore], ['undecided', true])
  })
  test('S111 keeps reports whose tasks were relayed until the engine has finished them', async ({
    inbox,
    advance,
  }) => {
    await decideWithTasks(inbox, 'a')
    const [task] = await inbox.tasks.claimRelay({ name: NAME, leaseMs: MARGIN_MS, limit: 1 })
    assert.ok(task)
    await inbox.tasks.finish(task, { kind: 'relayed' })
    await advance(AGE_MS)
    assert.equal(await forget(inbox), 0)
    const outcome = { kind: 'done' } as const
    await inbox.tasks.finishRelayed({ name: NAME, idempotencyKey: 'a', outcome })
    assert.equal(await forget(inbox), 1)
  })
}

function describeKept({ test }: Suite<InboxHarness>): void {
  test('keeps reports that are undecided, parked, or have an open or dead task', async (harness) => {
    const { inbox, advance } = harness
    await storeNew(inbox, { key: 'undecided', reference: 'order-2' })
    await storeParked(inbox, { key: 'parked', reference: 'order-3' })
    await storeDead(inbox, 'dead', { reference: 'order-4' })
    await decideWithTasks(inbox, 'open')
    await advance(AGE_MS)
    assert.equal(await forget(inbox), 0)
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'done' })
    assert.equal(await forget(inbox), 1)
    const { undecided, parked, dead } = await inbox.stats()
    assert.deepEqual([undecided, parked, dead], [1, 1, 1])
  })
}

function describeOrders({ test }: Suite<InboxHarness>): void {
  for (const [what, make] of Object.entries(UNFINISHED)) {
    test(`S58 keeps a finished report while another report of its order ${what}`, async (harness) => {
      const { inbox, advance } = harness
      const { id } = await storeDecided(inbox, { key: 'paid', tasks: makeTasks('onPaid:1') })
      await inbox.tasks.finish(await claimOne(inbox), { kind: 'done' })
      await storeDecided(inbox, { name: OTHER })
      await storeDecided(inbox, { key: 'order-2', reference: 'order-2' })
      await storeDecided(inbox, { key: 'merchant', merchant: 'shop-a' })
      const finish = await make(inbox)
      await advance(AGE_MS)
      assert.equal(await forget(inbox), 2, 'the reports of two other orders')
      assert.equal(await forget(inbox, OTHER), 1, 'the report of another name')
      assert.ok((await inbox.reports.find(id)) !== null, 'the report is kept')
      await finish()
      assert.deepEqual(await claimTasks(inbox), [], 'the handlers have run before')
      assert.equal(await forget(inbox), 2)
    })
  }
}

/** Reports of `order-1` that may still be decided as `paid`, and how that happens. */
const UNFINISHED: Record<string, (inbox: Inbox) => Promise<() => Promise<unknown>>> = {
  'is undecided': async (inbox) => {
    const { id } = await storeNew(inbox, { key: 'second' })
    return () => inbox.reports.decide(id, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
  },
  'is parked': async (inbox) => {
    const { id } = await storeParked(inbox, { key: 'second' })
    return () => inbox.reports.decide(id, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
  },
  'has a dead task': async (inbox) => {
    const { id, reportId } = await storeDead(inbox, 'proof:2', { decision: UNVERIFIED })
    return async () => {
      await inbox.tasks.replay(id)
      await inbox.reports.decide(reportId, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
      await inbox.tasks.finish(await claimOne(inbox), { kind: 'done' })
    }
  },
}

const UNVERIFIED: Decision = {
  kind: 'unverified',
  reference: 'order-1',
  txHash: 'tx-1',
  reason: 'not_found',
  detail: 'nothing',
}

function forget(inbox: Inbox, name = NAME): Promise<number> {
  return inbox.reports.forget({ name, olderThanMs: AGE_MS - MARGIN_MS, limit: 100 })
}
