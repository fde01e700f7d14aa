import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox.js'
import {
  assertDecision,
  findDelivery,
  makeDelivery,
  makePaid,
  makeUnmatched,
  NOW_MS,
  storeNew,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

const CALLS = 50

const ODD_TEXTS: Record<string, string> = {
  'not ASCII': 'Žluťoučký кофе 漢字 💎',
  'like SQL': `'; DROP TABLE inbox; -- "\\`,
  'with an escaped NUL': '{"a":"\\u0000","b":"\\ud800"}',
  'with line breaks': '{\r\n\t"a": 1.0 }\n',
  'with duplicate keys': '{"b":1,"a":2,"b":3,"10":4,"9":5}',
  'of 64 KiB': 'x'.repeat(65_536),
}

/** store and find: one row per key, as it was received. */
export function describeStore(suite: Suite<InboxHarness>): void {
  suite.runner.describe('store and find', () => {
    describeRows(suite)
    describeLookup(suite)
    describeRepetitions(suite)
  })
}

function describeRows({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('stores a delivery as given, undecided', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { retryAtMs: _retryAtMs, ...given } = makeDelivery()
      const delivery = await inbox.store(makeDelivery())
      const { id, state, attempts, decision, ...kept } = delivery
      assert.ok(typeof id === 'string' && id !== '', 'the row has an id')
      assert.deepEqual(
        { state, attempts, decision },
        {
          state: 'undecided',
          attempts: 0,
          decision: undefined,
        },
      )
      assert.deepEqual(kept, given)
      assert.deepEqual(await findDelivery(inbox, id), delivery)
    }))
}

function describeLookup({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('finds nothing for an id that it never gave', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox)
      assert.equal(await inbox.find('999999999'), null)
      assert.equal(await inbox.find("no such id '"), null)
    }))
  for (const [what, text] of Object.entries(ODD_TEXTS)) {
    it(`S13 keeps text ${what} to the character`, () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { rawBody: text, signedWith: text.slice(0, 100) })
        const { rawBody, signedWith } = await findDelivery(inbox, id)
        assert.equal(rawBody, text)
        assert.equal(signedWith, text.slice(0, 100))
      }))
  }
  it('finds what waits for a reference of 1024 characters of any script', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      // Three bytes each, and no two alike: nothing makes them shorter.
      const reference = String.fromCodePoint(...Array.from({ length: 1024 }, (_, i) => 0x4e00 + i))
      const { id, receiver } = await storeNew(inbox, { reference })
      await inbox.decide(id, { decision: makeUnmatched(), tasks: [], retryAtMs: NOW_MS })
      assert.equal(await inbox.matchReference({ receiver, reference }), 1)
      assert.equal((await findDelivery(inbox, id)).reference, reference)
    }))
  it('tells keys apart by every character, however long they are', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const long = 'k'.repeat(4000)
      const keys = ['key', 'KEY', 'key ', 'k\u00e9y', 'ke\u0301y', `${long}1`, `${long}2`]
      const ids = new Set<string>()
      for (const key of keys) ids.add((await storeNew(inbox, { key })).id)
      assert.equal(ids.size, keys.length)
    }))
}

function describeRepetitions({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S26 answers the first row for a key that is there', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const first = await storeNew(inbox)
      const repeated = makeDelivery({
        rawBody: '{}',
        signedWith: 'other',
        wasCompletedBefore: true,
        receivedAtMs: NOW_MS + 1,
      })
      assert.deepEqual(await inbox.store(repeated), first)
    }))
  it('S26 answers the decision with the row', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid(), tasks: [] })
      const delivery = await inbox.store(makeDelivery())
      assert.deepEqual([delivery.id, delivery.state], [id, 'decided'])
      assertDecision(delivery.decision, makePaid())
    }))
  it(`S38 stores one row when ${CALLS} equal deliveries arrive at once`, () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const answers = await Promise.all(
        Array.from({ length: CALLS }, () => inbox.store(makeDelivery())),
      )
      assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
    }))
  it(`stores ${CALLS} rows when ${CALLS} different deliveries arrive at once`, () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, index) =>
          inbox.store(makeDelivery({ key: `key-${index}` })),
        ),
      )
      assert.equal(new Set(answers.map(({ id }) => id)).size, CALLS)
    }))
}
