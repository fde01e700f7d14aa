import assert from 'node:assert/strict'
import type { Decision, HandlerTask, Inbox, NewDelivery } from '@tonplug/core'
import type { InboxHarness } from './inbox.js'
import {
  claimOne,
  claimTasks,
  decideWithTasks,
  keysOf,
  makeDelivery,
  makePaid,
  makeTasks,
  makeUnmatched,
  NOW_MS,
  RECEIVER,
  storeNew,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

const NOTHING = { undecided: 0, parked: 0, open: 0, dead: 0, oldestOpenMs: undefined }
const OTHER = 'other'

/** stats, replay, replayWhere and forgetDecided: what operators look at and do. */
export function describeUpkeep(suite: Suite<InboxHarness>): void {
  suite.runner.describe('stats', () => describeStats(suite))
  suite.runner.describe('replay and replayWhere', () => {
    describeReplay(suite)
    describeReplayWhere(suite)
  })
  suite.runner.describe('forgetDecided', () => {
    describeForgetting(suite)
    describeKept(suite)
  })
}

function describeStats({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('counts what is unfinished, and tells since when', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      assert.deepEqual(await inbox.stats(), NOTHING)
      const parked = await storeNew(inbox, { key: 'parked', receivedAtMs: NOW_MS - 3000 })
      await inbox.decide(parked.id, { decision: makeUnmatched(), tasks: [], retryAtMs: NOW_MS })
      const paid = await storeNew(inbox, { key: 'paid', receivedAtMs: NOW_MS - 2000 })
      await inbox.decide(paid.id, { decision: makePaid(), tasks: makeTasks('a', 'b') })
      await storeNew(inbox, { key: 'new', receivedAtMs: NOW_MS - 1000 })
      const counts = { undecided: 1, parked: 1, open: 2, dead: 0 }
      assert.deepEqual(await inbox.stats(), { ...counts, oldestOpenMs: NOW_MS - 2000 })
      const [first, second] = await claimTasks(inbox)
      assert.ok(first && second)
      await inbox.finishTask(first, { kind: 'done' })
      await inbox.finishTask(second, { kind: 'dead', error: 'no' })
      const later = { undecided: 1, parked: 1, open: 0, dead: 1, oldestOpenMs: NOW_MS - 1000 }
      assert.deepEqual(await inbox.stats(), later)
    }))
  it('tells of a replayed handler since when it waits again', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const first = await bury(inbox, 'a')
      await bury(inbox, 'b')
      assert.equal(await inbox.replay(first.id, NOW_MS + 5000), true)
      const stats = { ...NOTHING, open: 1, dead: 1 }
      assert.deepEqual(await inbox.stats(), { ...stats, oldestOpenMs: NOW_MS + 5000 })
      assert.equal(await inbox.replayWhere({}, NOW_MS + 4000), 1)
      assert.equal((await inbox.stats()).oldestOpenMs, NOW_MS + 4000)
      await claimTasks(inbox, { nowMs: NOW_MS + 6000 })
      assert.equal((await inbox.stats()).oldestOpenMs, NOW_MS + 4000, 'as long as it takes')
    }))
  it('S60 counts what one receiver has', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox, { receiver: OTHER, receivedAtMs: NOW_MS })
      const theirs = { ...NOTHING, undecided: 1, oldestOpenMs: NOW_MS }
      assert.deepEqual(await inbox.stats({ receiver: OTHER }), theirs)
      assert.deepEqual(await inbox.stats({ receiver: RECEIVER }), NOTHING)
      assert.deepEqual(await inbox.stats(), theirs)
    }))
}

function describeReplay({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S50 runs a dead task again, at once and with all its attempts', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const task = await bury(inbox, 'a')
      assert.equal(await inbox.replay(task.id), true)
      assert.deepEqual(await inbox.listDead({ limit: 10 }), [])
      const again = await claimOne(inbox)
      assert.deepEqual([again.id, again.idempotencyKey, again.attempt], [task.id, 'a', 1])
      assert.equal(await inbox.finishTask(again, { kind: 'done' }), true)
    }))
  it('never runs again what is done, open or unknown', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const task = await claimOne(inbox)
      assert.equal(await inbox.replay(task.id), false)
      await inbox.finishTask(task, { kind: 'done' })
      assert.equal(await inbox.replay(task.id), false)
      for (const id of ['999999999', "no such id '", '']) {
        assert.equal(await inbox.replay(id), false)
      }
      assert.equal(await inbox.replayWhere({}), 0)
      assert.deepEqual(await claimTasks(inbox), [])
    }))
}

function describeReplayWhere({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S50 runs the dead tasks again that fit every given field', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await bury(inbox, 'a')
      await bury(inbox, 'b', { reference: 'order-2' })
      await bury(inbox, 'c', { handler: 'onPaid.mail' })
      assert.equal(await inbox.replayWhere({ receiver: OTHER }), 0)
      assert.equal(await inbox.replayWhere({ handler: 'onPaid', reference: 'order-3' }), 0)
      assert.equal(await inbox.replayWhere({ handler: 'onPaid', reference: 'order-2' }), 1)
      assert.deepEqual(keysOf(await claimTasks(inbox)), ['b'])
      assert.equal(await inbox.replayWhere({ handler: 'onPaid.mail' }), 1)
      assert.equal(await inbox.replayWhere({ receiver: RECEIVER }), 1)
      assert.deepEqual(await inbox.listDead({ limit: 10 }), [])
    }))
}

function describeForgetting({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('deletes what is older, up to the limit, the oldest first', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const ids: string[] = []
      for (const age of [3, 2, 1, 0]) ids.push(await storeDecided(inbox, NOW_MS - age))
      const query = { receiver: RECEIVER, receivedBeforeMs: NOW_MS }
      assert.equal(await inbox.forgetDecided({ ...query, receiver: OTHER, limit: 10 }), 0)
      assert.equal(await inbox.forgetDecided({ ...query, limit: 2 }), 2)
      const rows = await Promise.all(ids.map((id) => inbox.find(id)))
      assert.deepEqual(
        rows.map((row) => row !== null),
        [false, false, true, true],
      )
      assert.equal(await inbox.forgetDecided({ ...query, limit: 2 }), 1)
      assert.equal(await inbox.forgetDecided({ ...query, limit: 2 }), 0)
    }))
  it('S58 takes a repetition of what it forgot for a new delivery', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid(), tasks: makeTasks('a') })
      await inbox.finishTask(await claimOne(inbox), { kind: 'done' })
      assert.equal(await forget(inbox), 1)
      const again = await inbox.store(makeDelivery({ wasCompletedBefore: true }))
      assert.deepEqual([again.state, again.wasCompletedBefore], ['undecided', true])
    }))
}

function describeKept({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('keeps what is undecided, parked, or has a task that is open or dead', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox, { key: 'undecided', reference: 'order-2' })
      const parked = await storeNew(inbox, { key: 'parked', reference: 'order-3' })
      await inbox.decide(parked.id, { decision: makeUnmatched(), tasks: [], retryAtMs: NOW_MS })
      await bury(inbox, 'dead', { reference: 'order-4' })
      await decideWithTasks(inbox, 'open')
      assert.equal(await forget(inbox), 0)
      await inbox.finishTask(await claimOne(inbox), { kind: 'done' })
      assert.equal(await forget(inbox), 1)
      const { undecided, parked: waiting, dead } = await inbox.stats()
      assert.deepEqual([undecided, waiting, dead], [1, 1, 1])
    }))
  for (const [what, make] of Object.entries(UNFINISHED)) {
    it(`S58 keeps what is done while another delivery of its order ${what}`, () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { key: 'paid' })
        await inbox.decide(id, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
        await inbox.finishTask(await claimOne(inbox), { kind: 'done' })
        await storeDecided(inbox, NOW_MS - 1, { receiver: OTHER })
        await storeDecided(inbox, NOW_MS - 2, { reference: 'order-2' })
        const finish = await make(inbox)
        assert.equal(await forget(inbox), 1, "another order's")
        assert.equal(await forget(inbox, OTHER), 1, "another receiver's")
        assert.ok((await inbox.find(id)) !== null, 'it is kept')
        await finish()
        assert.deepEqual(await claimTasks(inbox), [], 'the handlers of the payment have run')
        assert.equal(await forget(inbox), 2)
      }))
  }
}

/** Deliveries of `order-1` that may still be decided as `paid`, and how they come to it. */
const UNFINISHED: Record<string, (inbox: Inbox) => Promise<() => Promise<unknown>>> = {
  'is undecided': async (inbox) => {
    const { id } = await storeNew(inbox, { key: 'second' })
    return () => inbox.decide(id, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
  },
  'is parked': async (inbox) => {
    const { id } = await storeNew(inbox, { key: 'second' })
    await inbox.decide(id, { decision: makeUnmatched(), tasks: [], retryAtMs: NOW_MS })
    return () => inbox.decide(id, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
  },
  'has a dead task': async (inbox) => {
    const { id, deliveryId } = await bury(inbox, 'verifyOnChain:2', { decision: UNVERIFIED })
    return async () => {
      await inbox.replay(id)
      await inbox.decide(deliveryId, { decision: makePaid(), tasks: makeTasks('onPaid:1') })
      await inbox.finishTask(await claimOne(inbox), { kind: 'done' })
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

function forget(inbox: Inbox, receiver = RECEIVER): Promise<number> {
  return inbox.forgetDecided({ receiver, receivedBeforeMs: NOW_MS + 1, limit: 100 })
}

async function storeDecided(
  inbox: Inbox,
  receivedAtMs: number,
  changes?: Partial<NewDelivery>,
): Promise<string> {
  const key = `received ${receivedAtMs}`
  const { id } = await storeNew(inbox, { key, receivedAtMs, ...changes })
  await inbox.decide(id, { decision: makePaid(), tasks: [] })
  return id
}

/** Stores a delivery whose one task is dead. */
async function bury(
  inbox: Inbox,
  idempotencyKey: string,
  { reference = 'order-1', handler = 'onPaid', decision = makePaid() } = {},
): Promise<HandlerTask> {
  const { id } = await storeNew(inbox, { key: `key of ${idempotencyKey}`, reference })
  await inbox.decide(id, { decision, tasks: [{ idempotencyKey, handler }] })
  const [task] = await claimTasks(inbox, { handlers: [handler] })
  assert.ok(task)
  await inbox.finishTask(task, { kind: 'dead', error: 'no' })
  return task
}
