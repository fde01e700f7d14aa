import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertAge,
  claimTasks,
  claimTwo,
  makePaid,
  makeReport,
  makeTasks,
  makeUnmatched,
  MARGIN_MS,
  NAME,
  storeDead,
  storeNew,
  storeParked,
  SWEEP_MS,
  storeDecided,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

const NONE = { undecided: 0, parked: 0, unreadable: 0, open: 0, relayed: 0, dead: 0 }
const AGE_MS = 5 * MARGIN_MS

/** stats: unfinished work, and how long it has waited. */
export function describeStats(suite: Suite<InboxHarness>): void {
  suite.describe('stats', () => {
    describeCounts(suite)
    describeNames(suite)
    describeAges(suite)
  })
}

function describeCounts({ test }: Suite<InboxHarness>): void {
  test('counts nothing in an empty inbox', async ({ inbox }) => {
    assert.deepEqual(await count(inbox), NONE)
    const { oldestOpenAgeMs, oldestRelayedAgeMs, problem } = await inbox.stats()
    assert.deepEqual(
      [oldestOpenAgeMs, oldestRelayedAgeMs, problem],
      [undefined, undefined, undefined],
    )
  })
  test('S72 counts undecided, parked and unreadable reports, open and dead tasks', async (harness) => {
    const { inbox } = harness
    await storeParked(inbox, { key: 'parked' })
    await inbox.reports.store(makeReport({ key: 'unreadable', problem: 'not JSON' }))
    await storeDecided(inbox, { key: 'paid', tasks: makeTasks('a', 'b') })
    await storeNew(inbox, { key: 'new' })
    const expected = { ...NONE, undecided: 1, parked: 1, unreadable: 1, open: 2 }
    assert.deepEqual(await count(inbox), expected)
    const [first, second] = await claimTwo(inbox)
    assert.deepEqual(await count(inbox), expected, 'running tasks are open')
    await inbox.tasks.finish(first, { kind: 'done' })
    await inbox.tasks.finish(second, { kind: 'dead', error: 'no' })
    assert.deepEqual(await count(inbox), { ...expected, open: 0, dead: 1 })
  })
  test('counts a waiting retry as open', async ({ inbox }) => {
    await storeDecided(inbox, { tasks: makeTasks('a') })
    for (const task of await claimTasks(inbox)) {
      await inbox.tasks.finish(task, { kind: 'retry', retryInMs: SWEEP_MS, error: 'busy' })
    }
    assert.deepEqual(await count(inbox), { ...NONE, open: 1 })
  })
  test('counts a proof with its parked report, and not as an open task', async (harness) => {
    const { inbox, advance } = harness
    const { id } = await storeNew(inbox)
    const tasks = [{ idempotencyKey: 'proof', handler: 'verifyOnChain' }]
    await inbox.reports.decide(id, { decision: makeUnmatched(), tasks, retryInMs: SWEEP_MS })
    await advance(AGE_MS)
    assert.deepEqual(await count(inbox), { ...NONE, parked: 1 })
    assert.equal((await inbox.stats()).oldestOpenAgeMs, undefined)
  })
}

function describeNames({ test }: Suite<InboxHarness>): void {
  test('S60 counts the work of one name, or of all', async ({ inbox }) => {
    await storeNew(inbox, { name: 'other' })
    await inbox.reports.store(makeReport({ name: 'other', key: 'key-2', problem: 'not JSON' }))
    const theirs = { ...NONE, undecided: 1, unreadable: 1 }
    assert.deepEqual(await count(inbox, 'other'), theirs)
    assert.deepEqual(await count(inbox, NAME), NONE)
    assert.deepEqual(await count(inbox), theirs)
    assert.equal((await inbox.stats({ name: NAME })).oldestOpenAgeMs, undefined)
    await storeDead(inbox, 'a')
    assert.deepEqual(await count(inbox, 'other'), theirs)
    assert.deepEqual(await count(inbox, NAME), { ...NONE, dead: 1 })
  })
}

function describeAges({ test }: Suite<InboxHarness>): void {
  test('returns the age of the oldest undecided report or open task', async (harness) => {
    const { inbox, advance } = harness
    await storeParked(inbox, { key: 'parked' })
    await inbox.reports.store(makeReport({ key: 'unreadable', problem: 'not JSON' }))
    await advance(AGE_MS)
    assert.equal((await inbox.stats()).oldestOpenAgeMs, undefined)
    await storeDecided(inbox, { key: 'paid', tasks: makeTasks('a') })
    await advance(AGE_MS)
    const undecided = await storeNew(inbox, { key: 'undecided' })
    await advance(AGE_MS)
    assertAge((await inbox.stats()).oldestOpenAgeMs, 2 * AGE_MS)
    for (const task of await claimTasks(inbox)) {
      assertAge((await inbox.stats()).oldestOpenAgeMs, 2 * AGE_MS)
      await inbox.tasks.finish(task, { kind: 'done' })
    }
    assertAge((await inbox.stats()).oldestOpenAgeMs, AGE_MS)
    await inbox.reports.decide(undecided.id, { decision: makePaid() })
    assert.equal((await inbox.stats()).oldestOpenAgeMs, undefined)
  })
  test('returns the age of a replayed task since its replay', async ({ inbox, advance }) => {
    const first = await storeDead(inbox, 'a')
    await storeDead(inbox, 'b')
    await advance(AGE_MS)
    assert.equal((await inbox.stats()).oldestOpenAgeMs, undefined)
    assert.equal(await inbox.tasks.replay(first.id), true)
    assertAge((await inbox.stats()).oldestOpenAgeMs, 0)
    await advance(AGE_MS)
    assertAge((await inbox.stats()).oldestOpenAgeMs, AGE_MS)
    await claimTasks(inbox)
    assertAge((await inbox.stats()).oldestOpenAgeMs, AGE_MS)
    for (const task of await claimTasks(inbox)) await inbox.tasks.finish(task, { kind: 'done' })
    assert.equal(await inbox.tasks.replayWhere({}), 1)
    assertAge((await inbox.stats()).oldestOpenAgeMs, AGE_MS)
  })
}

/** Returns the counts of `stats`. */
async function count(inbox: Inbox, name?: string): Promise<typeof NONE> {
  const stats = await inbox.stats(name === undefined ? undefined : { name })
  const { undecided, parked, unreadable, open, relayed, dead } = stats
  return { undecided, parked, unreadable, open, relayed, dead }
}
