import assert from 'node:assert/strict'
import type { Inbox, Report, ReportFilter } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertDecision,
  claimReports,
  claimTasks,
  findReport,
  idsOf,
  keysOf,
  makeMismatch,
  makePaid,
  makeRefund,
  makeReport,
  makeTasks,
  MARGIN_MS,
  redecide,
  storeDead,
  storeParked,
  UNKNOWN_IDS,
  storeDecided,
  type UndecidedReport,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

/** Filters, and the reports of `storeOneOfEach` that they match. */
const FILTERS: Record<string, { filter: ReportFilter; expected: string[] }> = {
  'every report without a field': {
    filter: {},
    expected: ['decided', 'merchant', 'parked', 'unreadable'],
  },
  'a merchant': { filter: { merchant: 'shop-a' }, expected: ['merchant'] },
  'no merchant': { filter: { merchant: '' }, expected: ['decided', 'parked', 'unreadable'] },
  'a reference': { filter: { reference: 'order-2' }, expected: ['parked'] },
  'a reference of a merchant': {
    filter: { reference: 'order-1', merchant: 'shop-a' },
    expected: ['merchant'],
  },
  'the state decided': { filter: { state: 'decided' }, expected: ['decided', 'merchant'] },
  'the state parked': { filter: { state: 'parked' }, expected: ['parked'] },
  'the state unreadable': { filter: { state: 'unreadable' }, expected: ['unreadable'] },
  'a decision': { filter: { decision: 'asset_mismatch' }, expected: ['decided', 'merchant'] },
  'the decision unknown_order': { filter: { decision: 'unknown_order' }, expected: ['parked'] },
  'a decision that no report has': { filter: { decision: 'rejected' }, expected: [] },
}

/** redecide: makes reports due that were decided wrongly, and never one that was decided as `paid`. */
export function describeRedecide(suite: Suite<InboxHarness>): void {
  suite.describe('redecide', () => {
    describeAgain(suite)
    describePaid(suite)
    describeFilters(suite)
  })
}

function describeAgain({ test }: Suite<InboxHarness>): void {
  test('S71 makes a decided report due, and a new decision is recorded with its tasks', async (harness) => {
    const { inbox } = harness
    const { id } = await storeMismatch(inbox)
    assert.equal(await redecide(inbox, { ids: [id] }), 1)
    const [claimed] = await claimReports(inbox)
    assert.deepEqual([claimed?.id, claimed?.state], [id, 'parked'])
    const standing = await inbox.reports.decide(id, {
      decision: makePaid(),
      tasks: makeTasks('paid'),
    })
    assert.equal(standing.isRecorded, true)
    assertDecision((await findReport(inbox, id)).decision, makePaid())
    assert.deepEqual(keysOf(await claimTasks(inbox)), ['paid'])
  })
  test('S71 records the same decision once more, which is final again', async ({ inbox }) => {
    const { id } = await storeMismatch(inbox)
    await redecide(inbox)
    assert.equal((await inbox.reports.decide(id, { decision: makeMismatch() })).isRecorded, true)
    assert.equal((await inbox.reports.decide(id, { decision: makeMismatch() })).isRecorded, false)
    assert.equal((await findReport(inbox, id)).state, 'decided')
    assert.deepEqual(await claimReports(inbox), [])
  })
  test('S71 makes a parked report due', async ({ inbox }) => {
    const { id } = await storeParked(inbox)
    assert.equal(await redecide(inbox, { ids: [id] }), 1)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
  })
  test('S71 ends a dead proof of the report, and no other dead task', async ({ inbox }) => {
    const decision = makeMismatch()
    await storeDead(inbox, 'proof', { handler: 'verifyOnChain', decision })
    await storeDead(inbox, 'mail', { decision })
    assert.equal((await inbox.stats()).dead, 2)
    assert.equal(await redecide(inbox), 2)
    const left = await inbox.tasks.listDead({ limit: 10 })
    assert.deepEqual(keysOf(left), ['mail'])
    assert.equal((await inbox.stats()).dead, 1)
  })
  test('counts 0 for unknown ids and for no ids', async ({ inbox }) => {
    await storeMismatch(inbox)
    assert.equal(await redecide(inbox, { ids: UNKNOWN_IDS }), 0)
    assert.equal(await redecide(inbox, { ids: [] }), 0)
    assert.deepEqual(await claimReports(inbox), [])
  })
}

function describePaid({ test }: Suite<InboxHarness>): void {
  test('S71 never matches a report that was decided as paid', async ({ inbox }) => {
    const { id } = await storeDecided(inbox)
    const filters: ReportFilter[] = [
      {},
      { ids: [id] },
      { state: 'decided' },
      { decision: 'paid' },
      { reference: 'order-1', merchant: '' },
    ]
    for (const filter of filters) assert.equal(await redecide(inbox, filter), 0)
    assert.equal((await findReport(inbox, id)).state, 'decided')
    assert.deepEqual(await claimReports(inbox), [])
  })
}

function describeFilters({ test }: Suite<InboxHarness>): void {
  for (const [what, { filter, expected }] of Object.entries(FILTERS)) {
    test(`S71 matches ${what}`, async ({ inbox }) => {
      const ids = await storeOneOfEach(inbox)
      assert.equal(await redecide(inbox, filter), expected.length)
      const claimed = (await claimReports(inbox)).map(({ id }) => ids.get(id) ?? 'unknown')
      assert.deepEqual(claimed.sort(), expected)
    })
  }
  test('S71 matches reports that were stored at or after a time', async ({ inbox, advance }) => {
    await storeMismatch(inbox, { key: 'earlier' })
    await advance(2 * MARGIN_MS)
    const { id } = await storeMismatch(inbox, { key: 'later' })
    const { receivedAtMs } = await findReport(inbox, id)
    assert.equal(await redecide(inbox, { receivedAfterMs: receivedAtMs + MARGIN_MS }), 0)
    assert.equal(await redecide(inbox, { receivedAfterMs: receivedAtMs }), 1)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
  })
  test('S71 does not match a refund', async ({ inbox }) => {
    const { id } = await inbox.reports.store(makeReport({ decision: makeRefund() }))
    assert.equal(await redecide(inbox, {}), 0)
    assert.equal(await redecide(inbox, { decision: 'refund' }), 0)
    assertDecision((await findReport(inbox, id)).decision, makeRefund())
  })
  test('S60 matches the reports of one name, or of all', async ({ inbox }) => {
    await storeMismatch(inbox)
    await storeMismatch(inbox, { name: 'other' })
    assert.equal(await inbox.reports.redecide({ name: 'third' }), 0)
    assert.equal(await inbox.reports.redecide({ name: 'other' }), 1)
    assert.deepEqual(await claimReports(inbox), [])
    assert.equal((await claimReports(inbox, { name: 'other' })).length, 1)
    assert.equal(await inbox.reports.redecide({ state: 'decided' }), 1)
  })
}

/** Stores a report in every state that `redecide` changes. @returns what each is, by its id. */
async function storeOneOfEach(inbox: Inbox): Promise<Map<string, string>> {
  const decided = await storeMismatch(inbox)
  const merchant = await storeMismatch(inbox, { key: 'key-2', merchant: 'shop-a' })
  const parked = await storeParked(inbox, { key: 'key-3', reference: 'order-2' })
  const unreadable = await inbox.reports.store(
    makeReport({ key: 'key-4', reference: '', txHash: '', problem: 'not JSON' }),
  )
  return new Map([
    [decided.id, 'decided'],
    [merchant.id, 'merchant'],
    [parked.id, 'parked'],
    [unreadable.id, 'unreadable'],
  ])
}

function storeMismatch(inbox: Inbox, changes?: UndecidedReport): Promise<Report> {
  return storeDecided(inbox, { decision: makeMismatch(), ...changes })
}
