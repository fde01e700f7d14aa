import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertDecision,
  assertReports,
  CALLS,
  findReport,
  makePaid,
  makeRefund,
  makeReport,
  MARGIN_MS,
  NAME,
  storeNew,
  storeParked,
  UNKNOWN_IDS,
  storeDecided,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const ODD_TEXTS: Record<string, string> = {
  'beyond ASCII': 'Žluťoučký кофе 漢字 💎',
  'that looks like SQL': `'; DROP TABLE inbox; -- "\\`,
  'with escaped NUL and surrogate characters': '{"a":"\\u0000","b":"\\ud800"}',
  'with line breaks': '{\r\n\t"a": 1.0 }\n',
  'with duplicate keys': '{"b":1,"a":2,"b":3,"10":4,"9":5}',
  'of 64 KiB': 'x'.repeat(65_536),
}

/** store and find: one row per name and key, exactly as received. */
export function describeStore(suite: Suite<InboxHarness>): void {
  suite.describe('store and find', () => {
    describeRows(suite)
    describeTexts(suite)
    describeKeys(suite)
    describeRepetitions(suite)
  })
}

function describeRows({ test }: Suite<InboxHarness>): void {
  test('stores a new report as undecided, with every field', async ({ inbox }) => {
    const given = makeReport({
      merchant: 'shop:1/ü',
      source: 'chain',
      payments: ['tx:1', 'credit:0:ab:47000000000001'],
      wasCompletedBefore: true,
    })
    const { retryInMs: _retryInMs, key: _key, ...fields } = given
    const report = await inbox.reports.store(given)
    assert.ok(typeof report.id === 'string' && report.id !== '', 'the report has an id')
    const { id, receivedAtMs } = report
    const expected = { ...fields, id, receivedAtMs, state: 'undecided', attempts: 0 } as const
    assertReports([report], [expected])
    assertReports([await findReport(inbox, id)], [report])
  })
  for (const source of ['webhook', 'chain', 'gateway', 'operator'] as const) {
    test(`stores the source ${source}`, async ({ inbox }) => {
      const { id } = await storeNew(inbox, { source })
      assert.equal((await findReport(inbox, id)).source, source)
    })
  }
  test('stores a report with its decision as decided, never due', async ({ inbox }) => {
    const decision = makeRefund()
    const stored = await inbox.reports.store(makeReport({ decision, retryInMs: 0 }))
    assert.deepEqual([stored.state, stored.decision], ['decided', decision])
    const repeated = await inbox.reports.store(
      makeReport({ decision: { ...decision, id: 'other' } }),
    )
    assert.deepEqual([repeated.id, repeated.decision], [stored.id, decision])
    assert.equal((await inbox.stats()).undecided, 0)
    assert.equal(await inbox.processes.nextDueInMs({ name: NAME }), undefined)
  })
  test('records when a report was stored, and does not change it for a repetition', async (harness) => {
    const { inbox, advance } = harness
    const first = await storeNew(inbox)
    assert.ok(Number.isInteger(first.receivedAtMs), `received ${first.receivedAtMs}`)
    await advance(10 * MARGIN_MS)
    const second = await storeNew(inbox, { key: 'key-2' })
    const repeated = await inbox.reports.store(makeReport())
    const elapsedMs = second.receivedAtMs - repeated.receivedAtMs
    assert.ok(Math.abs(elapsedMs - 10 * MARGIN_MS) < MARGIN_MS, `${elapsedMs} ms`)
  })
  test('finds nothing for an unknown id', async ({ inbox }) => {
    await storeNew(inbox)
    for (const id of UNKNOWN_IDS) assert.equal(await inbox.reports.find(id), null)
  })
}

function describeTexts({ test }: Suite<InboxHarness>): void {
  for (const [what, text] of Object.entries(ODD_TEXTS)) {
    test(`S13 stores text ${what} without a change`, async ({ inbox }) => {
      const { id } = await storeNew(inbox, { rawBody: text, signedWith: text.slice(0, 100) })
      const { rawBody, signedWith } = await findReport(inbox, id)
      assert.equal(rawBody, text)
      assert.equal(signedWith, text.slice(0, 100))
    })
  }
  test('matches a reference of 1024 characters of any script', async ({ inbox }) => {
    // Three bytes each and all different, so that compression does not shorten them.
    const reference = String.fromCodePoint(...Array.from({ length: 1024 }, (_, i) => 0x4e00 + i))
    const { id } = await storeParked(inbox, { reference })
    assert.equal(await inbox.reports.orderCreated({ name: NAME, merchant: '', reference }), 1)
    assert.equal((await findReport(inbox, id)).reference, reference)
  })
}

function describeKeys({ test }: Suite<InboxHarness>): void {
  test('distinguishes keys by every character, at any length', async ({ inbox }) => {
    const long = 'k'.repeat(4000)
    const keys = ['key', 'KEY', 'key ', 'k\u00e9y', 'ke\u0301y', `${long}1`, `${long}2`]
    const ids = new Set<string>()
    for (const key of keys) ids.add((await storeNew(inbox, { key })).id)
    assert.equal(ids.size, keys.length)
  })
  test('S60 stores a report of its own for each name, even if the keys are equal', async (harness) => {
    const { inbox } = harness
    const { id } = await storeNew(inbox)
    const other = await storeNew(inbox, { name: 'other' })
    assert.notEqual(other.id, id)
    assert.equal((await findReport(inbox, other.id)).name, 'other')
  })
}

function describeRepetitions({ test }: Suite<InboxHarness>): void {
  test('S26 returns the stored report when the key is known', async ({ inbox }) => {
    const first = await storeNew(inbox)
    const repeated = makeReport({
      merchant: 'other',
      source: 'chain',
      rawBody: '{}',
      signedWith: 'other',
      payments: [],
      wasCompletedBefore: true,
      problem: 'not JSON',
    })
    assertReports([await inbox.reports.store(repeated)], [first])
    assertReports([await findReport(inbox, first.id)], [first])
  })
  test('S26 returns the decision with the stored report', async ({ inbox }) => {
    const { id } = await storeDecided(inbox)
    const report = await inbox.reports.store(makeReport())
    assert.deepEqual([report.id, report.state], [id, 'decided'])
    assertDecision(report.decision, makePaid())
  })
  test(`S38 stores one row for ${CALLS} equal reports that arrive concurrently`, async (harness) => {
    const { inbox } = harness
    const reports = await callConcurrently(CALLS, () => inbox.reports.store(makeReport()))
    assert.equal(new Set(reports.map(({ id }) => id)).size, 1)
  })
  test(`stores ${CALLS} rows for ${CALLS} different reports that arrive concurrently`, async (harness) => {
    const { inbox } = harness
    const reports = await callConcurrently(CALLS, (index) =>
      inbox.reports.store(makeReport({ key: `key-${index}` })),
    )
    assert.equal(new Set(reports.map(({ id }) => id)).size, CALLS)
  })
}
