import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  claimOne,
  LEASE_MS,
  makeTasks,
  MARGIN_MS,
  storeDead,
  storeDecided,
  storeNew,
  UNKNOWN_IDS,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

/** listTasks, recordAction and listActions: what operators read and leave. */
export function describeOperators(suite: Suite<InboxHarness>): void {
  suite.describe('listTasks, recordAction and listActions', () => {
    describeTasks(suite)
    describeActions(suite)
  })
}

function describeTasks({ test }: Suite<InboxHarness>): void {
  test('lists the tasks of reports', async ({ inbox }) => {
    const tasks = makeTasks('a', 'b')
    const { id } = await storeDecided(inbox, { tasks })
    await storeDecided(inbox, { key: 'other', tasks: makeTasks('c') })
    const listed = await inbox.tasks.list({ reportIds: [id, ...UNKNOWN_IDS] })
    const facts = listed.map(({ reportId, idempotencyKey, handler }) =>
      [reportId, idempotencyKey, handler].join(' '),
    )
    assert.deepEqual(facts.sort(), [`${id} a onPaid`, `${id} b onPaid`])
    assert.deepEqual(await inbox.tasks.list({ reportIds: [] }), [])
  })
  test('S50 shows the runs of a task and its last error', async ({ inbox }) => {
    const { id } = await storeDecided(inbox, { tasks: makeTasks('a') })
    assert.deepEqual(await progress(inbox, id), ['open', 0, false, undefined])
    const first = await claimOne(inbox)
    assert.deepEqual(await progress(inbox, id), ['open', 1, true, undefined])
    await inbox.tasks.finish(first, { kind: 'retry', retryInMs: 0, error: 'out of stock' })
    assert.deepEqual(await progress(inbox, id), ['open', 1, false, 'out of stock'])
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'dead', error: 'no stock' })
    assert.deepEqual(await progress(inbox, id), ['dead', 2, false, 'no stock'])
    const [task] = await inbox.tasks.list({ reportIds: [id] })
    assert.equal(await inbox.tasks.replay(task?.id ?? ''), true)
    assert.deepEqual(await progress(inbox, id), ['open', 0, false, 'no stock'])
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'done' })
    assert.deepEqual(await progress(inbox, id), ['done', 1, false, 'no stock'])
  })
  test('shows a task that a queue engine has accepted', async ({ inbox }) => {
    const { id } = await storeDecided(inbox, { tasks: makeTasks('a') })
    const [task] = await inbox.tasks.claimRelay({ name: 'default', leaseMs: LEASE_MS, limit: 1 })
    assert.ok(task !== undefined)
    await inbox.tasks.finish(task, { kind: 'relayed' })
    assert.equal((await progress(inbox, id))[0], 'relayed')
  })
  test('shows when a task is due', async ({ inbox }) => {
    const { id } = await storeDecided(inbox, { tasks: makeTasks('a', 'b') })
    const { receivedAtMs } = (await inbox.reports.find(id)) ?? { receivedAtMs: Number.NaN }
    const [task] = await inbox.tasks.claim({ name: 'default', limits: { onPaid: 1 }, leaseMs: 1 })
    assert.ok(task !== undefined)
    await inbox.tasks.finish(task, { kind: 'retry', retryInMs: LEASE_MS, error: 'no' })
    const listed = await inbox.tasks.list({ reportIds: [id] })
    const dueAtMs = listed.find((one) => one.id === task.id)?.dueAtMs ?? Number.NaN
    assert.ok(Math.abs(dueAtMs - receivedAtMs - LEASE_MS) < MARGIN_MS)
  })
}

function describeActions({ test }: Suite<InboxHarness>): void {
  test('lists what operators did about reports, newest first', async ({ inbox, advance }) => {
    const { id } = await storeNew(inbox)
    const { reportId: other } = await storeDead(inbox, 'a')
    await inbox.reports.recordAction({
      reportId: id,
      action: 'reprocess',
      by: 'ann',
      note: "it's <b> 💎",
    })
    await advance(MARGIN_MS)
    await inbox.reports.recordAction({ reportId: other, action: 'retry', by: 'bob', note: '' })
    const actions = await inbox.reports.listActions({ reportIds: [id, other, ...UNKNOWN_IDS] })
    const facts = actions.map(({ atMs: _atMs, ...action }) => action)
    assert.deepEqual(facts, [
      { reportId: other, action: 'retry', by: 'bob', note: '' },
      { reportId: id, action: 'reprocess', by: 'ann', note: "it's <b> 💎" },
    ])
    assert.ok(actions.every(({ atMs }) => atMs > 0))
    assert.equal((await inbox.reports.listActions({ reportIds: [id] })).length, 1)
    assert.deepEqual(await inbox.reports.listActions({ reportIds: [] }), [])
  })
  test('records nothing about an unknown report', async ({ inbox }) => {
    for (const reportId of UNKNOWN_IDS) {
      await inbox.reports.recordAction({ reportId, action: 'retry', by: 'ann', note: '' })
    }
    assert.deepEqual(await inbox.reports.listActions({ reportIds: UNKNOWN_IDS }), [])
  })
  test('deletes actions with their report', async ({ inbox, advance }) => {
    const { id } = await storeDecided(inbox)
    await inbox.reports.recordAction({ reportId: id, action: 'reprocess', by: 'ann', note: '' })
    await advance(2 * MARGIN_MS)
    const forgotten = { name: 'default', olderThanMs: MARGIN_MS, limit: 10 }
    assert.equal(await inbox.reports.forget(forgotten), 1)
    assert.deepEqual(await inbox.reports.listActions({ reportIds: [id] }), [])
  })
}

async function progress(
  inbox: Inbox,
  reportId: string,
): Promise<[state: string | undefined, attempts: number, isRunning: boolean, error: unknown]> {
  const [task] = await inbox.tasks.list({ reportIds: [reportId] })
  return [task?.state, task?.attempts ?? -1, task?.isRunning ?? false, task?.error]
}
