import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertTimeLeft,
  claimOne,
  claimReports,
  claimTwo,
  decideWithTasks,
  LEASE_MS,
  makePaid,
  MARGIN_MS,
  NAME,
  park,
  register,
  storeNew,
  SWEEP_MS,
  storeDecided,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

/** nextDueInMs: the time until there is work to claim. */
export function describeNextDue(suite: Suite<InboxHarness>): void {
  suite.describe('nextDueInMs', () => {
    describeReports(suite)
    describeTasks(suite)
  })
}

function describeReports({ test }: Suite<InboxHarness>): void {
  test('is undefined when the inbox has no work', async ({ inbox }) => {
    assert.equal(await nextDueInMs(inbox), undefined)
    await storeDecided(inbox)
    assert.equal(await nextDueInMs(inbox), undefined)
  })
  test('is the time until the earliest undecided or parked report is due', async ({ inbox }) => {
    await storeNew(inbox, { key: 'key-1', retryInMs: 6 * MARGIN_MS })
    const earlier = await storeNew(inbox, { key: 'key-2', retryInMs: 4 * MARGIN_MS })
    assertTimeLeft(await nextDueInMs(inbox), 4 * MARGIN_MS)
    await park(inbox, earlier.id, 2 * MARGIN_MS)
    assertTimeLeft(await nextDueInMs(inbox), 2 * MARGIN_MS)
    await inbox.reports.decide(earlier.id, { decision: makePaid() })
    assertTimeLeft(await nextDueInMs(inbox), 6 * MARGIN_MS)
  })
  test('becomes shorter as time passes, and is at most 0 when a report is due', async (harness) => {
    const { inbox, advance } = harness
    await storeNew(inbox)
    await advance(SWEEP_MS - 2 * MARGIN_MS)
    assertTimeLeft(await nextDueInMs(inbox), 2 * MARGIN_MS)
    await advance(3 * MARGIN_MS)
    assertDue(await nextDueInMs(inbox))
  })
  test('is the time by which a claim postponed a report', async ({ inbox }) => {
    await storeNew(inbox, { retryInMs: 0 })
    assert.equal((await claimReports(inbox)).length, 1)
    assertTimeLeft(await nextDueInMs(inbox), LEASE_MS)
  })
}

function describeTasks({ test }: Suite<InboxHarness>): void {
  test('is at most 0 for a new task', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    assertDue(await nextDueInMs(inbox))
  })
  test('is the time until a lease expires, then until a retry, then undefined', async (harness) => {
    const { inbox, advance } = harness
    await decideWithTasks(inbox, 'a', 'b')
    const [first, second] = await claimTwo(inbox)
    assertTimeLeft(await nextDueInMs(inbox), LEASE_MS)
    const retryInMs = 2 * MARGIN_MS
    await inbox.tasks.finish(first, { kind: 'retry', retryInMs, error: 'busy' })
    assertTimeLeft(await nextDueInMs(inbox), retryInMs)
    await inbox.tasks.finish(second, { kind: 'done' })
    await advance(retryInMs)
    await inbox.tasks.finish(await claimOne(inbox), { kind: 'dead', error: 'no' })
    assert.equal(await nextDueInMs(inbox), undefined)
  })
  test('ignores tasks of other handlers', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    assert.equal(await nextDueInMs(inbox, []), undefined)
    assert.equal(await nextDueInMs(inbox, ['onPaid.ship']), undefined)
    await storeNew(inbox)
    assertTimeLeft(await nextDueInMs(inbox, ['onPaid.ship']), SWEEP_MS)
  })
  test('considers tasks of all handlers when none are given', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    assertDue(await inbox.processes.nextDueInMs({ name: NAME }))
    assertDue((await register(inbox, { nextDue: {} })).nextDueInMs)
  })
  test('is the earliest of reports and tasks', async ({ inbox }) => {
    await decideWithTasks(inbox, 'a')
    await claimOne(inbox)
    await storeNew(inbox, { retryInMs: LEASE_MS - 2 * MARGIN_MS })
    assertTimeLeft(await nextDueInMs(inbox), LEASE_MS - 2 * MARGIN_MS)
  })
}

/** Returns what both methods return. */
async function nextDueInMs(inbox: Inbox, handlers = ['onPaid']): Promise<number | undefined> {
  const dueInMs = await inbox.processes.nextDueInMs({ name: NAME, handlers })
  const registered = await register(inbox, { nextDue: { handlers } })
  if (dueInMs === undefined) assert.equal(registered.nextDueInMs, undefined)
  else assertTimeLeft(registered.nextDueInMs, dueInMs)
  return dueInMs
}

function assertDue(inMs: number | undefined): void {
  assert.ok(inMs !== undefined && inMs <= 0, `expected at most 0 ms; received ${inMs} ms`)
}
