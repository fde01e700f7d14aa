import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertDecision,
  assertReports,
  CALLS,
  findReport,
  makePaid,
  makeReport,
  MARGIN_MS,
  NAME,
  storeNew,
  storeParked,
  UNKNOWN_IDS,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite, withHarness } from './runner.js'

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
  suite.runner.describe('store and find', () => {
    describeRows(suite)
    describeTexts(suite)
    describeKeys(suite)
    describeRepetitions(suite)
  })
}

function describeRows({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('stores a new report as undecided, with every field', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const given = makeReport({
        merchant: 'shop:1/ü',
        source: 'chain',
        payments: ['tx:1', 'credit:0:ab:47000000000001'],
        wasCompletedBefore: true,
      })
      const { retryInMs: _retryInMs, key: _key, ...fields } = given
      const report = await inbox.store(given)
      assert.ok(typeof report.id === 'string' && report.id !== '', 'the report has an id')
      const { id, receivedAtMs } = report
      const expected = { ...fields, id, receivedAtMs, state: 'undecided', attempts: 0 } as const
      assertReports([report], [expected])
      assertReports([await findReport(inbox, id)], [report])
    }))
  for (const source of ['webhook', 'chain', 'gateway'] as const) {
    it(`stores the source ${source}`, () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { source })
        assert.equal((await findReport(inbox, id)).source, source)
      }))
  }
  it('records when a report was stored, and does not change it for a repetition', () =>
    withHarness(makeHarness, async ({ inbox, advance }) => {
      const first = await storeNew(inbox)
      assert.ok(Number.isInteger(first.receivedAtMs), `received ${first.receivedAtMs}`)
      await advance(10 * MARGIN_MS)
      const second = await storeNew(inbox, { key: 'key-2' })
      const repeated = await inbox.store(makeReport())
      const elapsedMs = second.receivedAtMs - repeated.receivedAtMs
      assert.ok(Math.abs(elapsedMs - 10 * MARGIN_MS) < MARGIN_MS, `${elapsedMs} ms`)
    }))
  it('finds nothing for an unknown id', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox)
      for (const id of UNKNOWN_IDS) assert.equal(await inbox.find(id), null)
    }))
}

function describeTexts({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  for (const [what, text] of Object.entries(ODD_TEXTS)) {
    it(`S13 stores text ${what} without a change`, () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { rawBody: text, signedWith: text.slice(0, 100) })
        const { rawBody, signedWith } = await findReport(inbox, id)
        assert.equal(rawBody, text)
        assert.equal(signedWith, text.slice(0, 100))
      }))
  }
  it('matches a reference of 1024 characters of any script', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      // Three bytes each and all different, so that compression does not shorten them.
      const reference = String.fromCodePoint(...Array.from({ length: 1024 }, (_, i) => 0x4e00 + i))
      const { id } = await storeParked(inbox, { reference })
      assert.equal(await inbox.matchReference({ name: NAME, merchant: '', reference }), 1)
      assert.equal((await findReport(inbox, id)).reference, reference)
    }))
}

function describeKeys({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('distinguishes keys by every character, at any length', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const long = 'k'.repeat(4000)
      const keys = ['key', 'KEY', 'key ', 'k\u00e9y', 'ke\u0301y', `${long}1`, `${long}2`]
      const ids = new Set<string>()
      for (const key of keys) ids.add((await storeNew(inbox, { key })).id)
      assert.equal(ids.size, keys.length)
    }))
  it('S60 stores a report of its own for each name, even if the keys are equal', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      const other = await storeNew(inbox, { name: 'other' })
      assert.notEqual(other.id, id)
      assert.equal((await findReport(inbox, other.id)).name, 'other')
    }))
}

function describeRepetitions({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S26 returns the stored report when the key is known', () =>
    withHarness(makeHarness, async ({ inbox }) => {
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
      assertReports([await inbox.store(repeated)], [first])
      assertReports([await findReport(inbox, first.id)], [first])
    }))
  it('S26 returns the decision with the stored report', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid() })
      const report = await inbox.store(makeReport())
      assert.deepEqual([report.id, report.state], [id, 'decided'])
      assertDecision(report.decision, makePaid())
    }))
  it(`S38 stores one row for ${CALLS} equal reports that arrive concurrently`, () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const reports = await callConcurrently(CALLS, () => inbox.store(makeReport()))
      assert.equal(new Set(reports.map(({ id }) => id)).size, 1)
    }))
  it(`stores ${CALLS} rows for ${CALLS} different reports that arrive concurrently`, () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const reports = await callConcurrently(CALLS, (index) =>
        inbox.store(makeReport({ key: `key-${index}` })),
      )
      assert.equal(new Set(reports.map(({ id }) => id)).size, CALLS)
    }))
}
