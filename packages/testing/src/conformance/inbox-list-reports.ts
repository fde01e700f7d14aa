import assert from 'node:assert/strict'
import type { Decision, Inbox, Report, ReportQuery } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertReports,
  decideWithTasks,
  findReport,
  makeMismatch,
  makeReport,
  MARGIN_MS,
  NAME,
  park,
  storeDead,
  storeDecided,
  storeMany,
  storeNew,
  UNKNOWN_IDS,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

const TRACE = 'ab'.repeat(32)

/** Filters, and the reports of `storeOneOfEach` that they match, newest first. */
const FILTERS: Record<string, { filter: Partial<ReportQuery>; expected: string[] }> = {
  'every report without a field': {
    filter: {},
    expected: ['unreadable', 'paid', 'undecided', 'merchant', 'parked', 'mismatch'],
  },
  'a merchant': { filter: { merchant: 'shop-a' }, expected: ['merchant'] },
  'no merchant': {
    filter: { merchant: '' },
    expected: ['unreadable', 'paid', 'undecided', 'parked', 'mismatch'],
  },
  'a reference': {
    filter: { reference: 'order-1' },
    expected: ['undecided', 'merchant', 'parked', 'mismatch'],
  },
  'a reference of a merchant': {
    filter: { reference: 'order-1', merchant: 'shop-a' },
    expected: ['merchant'],
  },
  'a reference and a state': {
    filter: { reference: 'order-2', state: 'decided' },
    expected: ['paid'],
  },
  'a transaction': {
    filter: { txHashes: ['tx-7'] },
    expected: ['paid', 'merchant'],
  },
  'two transactions': {
    filter: { txHashes: ['tx-7', 'tx-8', 'tx-9'] },
    expected: ['paid', 'undecided', 'merchant'],
  },
  'a transaction and a reference': {
    filter: { txHashes: ['tx-7'], reference: 'order-1' },
    expected: ['merchant'],
  },
  'no transaction': { filter: { txHashes: [] }, expected: [] },
  'a trace': { filter: { hashes: [TRACE] }, expected: ['paid', 'parked'] },
  'a trace and a reference': {
    filter: { hashes: [TRACE], reference: 'order-1' },
    expected: ['parked'],
  },
  'a hash as a transaction or a trace, newest first': {
    filter: { hashes: ['tx-8', TRACE, 'tx-9'] },
    expected: ['paid', 'undecided', 'parked'],
  },
  'no hash': { filter: { hashes: [] }, expected: [] },
  'a reference without reports': { filter: { reference: 'order-3' }, expected: [] },
  'the state undecided': { filter: { state: 'undecided' }, expected: ['undecided'] },
  'the state parked': { filter: { state: 'parked' }, expected: ['parked'] },
  'the state decided': {
    filter: { state: 'decided' },
    expected: ['paid', 'merchant', 'mismatch'],
  },
  'two states': {
    filter: { state: ['undecided', 'parked'] },
    expected: ['undecided', 'parked'],
  },
  'the state unreadable': { filter: { state: 'unreadable' }, expected: ['unreadable'] },
  'the decision paid': { filter: { decision: 'paid' }, expected: ['paid'] },
  'the decision asset_mismatch': {
    filter: { decision: 'asset_mismatch' },
    expected: ['merchant', 'mismatch'],
  },
  'two decisions': {
    filter: { decision: ['asset_mismatch', 'paid'] },
    expected: ['paid', 'merchant', 'mismatch'],
  },
  'two decisions other than paid, of a merchant': {
    filter: { decision: ['asset_mismatch', 'unknown_order', 'unverified'], merchant: '' },
    expected: ['parked', 'mismatch'],
  },
  'the decision verifying': { filter: { decision: 'verifying' }, expected: [] },
}

/** listReports: reads reports and changes none. */
export function describeListReports(suite: Suite<InboxHarness>): void {
  suite.describe('listReports', () => {
    describeFilters(suite)
    describeValues(suite)
    describeLimit(suite)
    describePages(suite)
    describeContent(suite)
  })
}

function describeFilters({ test }: Suite<InboxHarness>): void {
  for (const [what, { filter, expected }] of Object.entries(FILTERS)) {
    test(`lists ${what}`, async ({ inbox }) => {
      const ids = await storeOneOfEach(inbox)
      const reports = await list(inbox, filter)
      assert.deepEqual(
        reports.map(({ id }) => ids.get(id) ?? 'unknown'),
        expected,
      )
    })
  }
  test('lists the reports with these ids', async ({ inbox }) => {
    const [first = '', second = '', third = ''] = await storeMany(inbox, 3)
    assert.deepEqual(idsOf(await list(inbox, { ids: [third, first] })), [third, first])
    assert.deepEqual(idsOf(await list(inbox, { ids: [...UNKNOWN_IDS, second] })), [second])
    assert.deepEqual(await list(inbox, { ids: [] }), [])
  })
  test('lists reports that were stored at or after a time', async ({ inbox, advance }) => {
    await storeNew(inbox, { key: 'earlier' })
    await advance(2 * MARGIN_MS)
    const { id } = await storeNew(inbox, { key: 'later' })
    const { receivedAtMs } = await findReport(inbox, id)
    assert.deepEqual(idsOf(await list(inbox, { receivedAfterMs: receivedAtMs })), [id])
    assert.deepEqual(await list(inbox, { receivedAfterMs: receivedAtMs + MARGIN_MS }), [])
  })
  test('never converts NUL or a lone surrogate to another character', async ({ inbox }) => {
    const [reference, merchant] = ['a\uFFFD', 'b\uFFFD']
    const { id } = await storeNew(inbox, { reference, merchant })
    for (const mark of ['\0', '\ud800', '\udfff']) {
      const unnamed = await storeNew(inbox, { key: mark, reference: `a${mark}`, merchant })
      assert.equal(unnamed.reference, '')
      for (const key of [
        { reference: `a${mark}`, merchant },
        { reference, merchant: `b${mark}` },
      ]) {
        assert.deepEqual(await list(inbox, key), [])
        assert.equal(await inbox.reports.orderCreated({ name: NAME, ...key }), 0)
        assert.equal(await inbox.reports.redecide({ name: NAME, ...key }), 0)
      }
    }
    assert.deepEqual(idsOf(await list(inbox, { reference })), [id])
  })
  test('S60 lists the reports of one name, or of all', async ({ inbox }) => {
    const own = await storeNew(inbox)
    const other = await storeNew(inbox, { name: 'other' })
    assert.deepEqual(idsOf(await list(inbox)), [own.id])
    assert.deepEqual(idsOf(await list(inbox, { reference: 'order-1' })), [own.id])
    assert.deepEqual(idsOf(await inbox.reports.list({ limit: 10 })), [other.id, own.id])
  })
}

function describeValues({ test }: Suite<InboxHarness>): void {
  test('lists the reports of one of these senders', async ({ inbox }) => {
    const first = await storeNew(inbox, { key: 'a', senderAddr: 'UQ-a' })
    const second = await storeNew(inbox, { key: 'b', senderAddr: 'UQ-b', rawAmount: '7' })
    await storeNew(inbox, { key: 'c' })
    assert.deepEqual(idsOf(await list(inbox, { senderAddrs: ['UQ-a', 'UQ-z'] })), [first.id])
    const both = { senderAddrs: ['UQ-a', 'UQ-b'] }
    assert.deepEqual(idsOf(await list(inbox, both)), [second.id, first.id])
    assert.deepEqual(idsOf(await list(inbox, { ...both, limit: 1 })), [second.id])
    assert.deepEqual(idsOf(await list(inbox, { ...both, rawAmounts: ['7'] })), [second.id])
    assert.deepEqual(await list(inbox, { ...both, state: 'decided' }), [])
    assert.deepEqual(await list(inbox, { senderAddrs: ['UQ-'] }), [])
    assert.deepEqual(await list(inbox, { senderAddrs: [] }), [])
  })
  test('lists the reports with one of these amounts', async ({ inbox }) => {
    const { id } = await storeNew(inbox, { key: 'a', rawAmount: '10500000000' })
    await storeNew(inbox, { key: 'b', rawAmount: '1050000000' })
    await storeNew(inbox, { key: 'c' })
    assert.deepEqual(idsOf(await list(inbox, { rawAmounts: ['10500000000', '7'] })), [id])
    assert.deepEqual(await list(inbox, { rawAmounts: ['10'] }), [])
    assert.deepEqual(await list(inbox, { rawAmounts: [] }), [])
  })
  test('lists the reports with a comment, without regard to case', async ({ inbox }) => {
    const lower = await storeNew(inbox, { key: 'a', reference: 'ann-order' })
    const upper = await storeNew(inbox, { key: 'b', reference: 'Ann-Order' })
    await storeNew(inbox, { key: 'c', reference: 'ann-order-2' })
    const typed = await storeNew(inbox, { key: 'd', reference: '', comment: 'My Order' })
    await storeNew(inbox, { key: 'e', reference: 'ann-order', comment: 'For Bob' })
    assert.deepEqual(idsOf(await list(inbox, { comment: 'my order' })), [typed.id])
    await storeNew(inbox, { key: 'f', reference: 'x', comment: '\0'.padEnd(60_000, 'x') })
    const long = await storeNew(inbox, { key: 'g', reference: '', comment: 'Ж'.repeat(10_000) })
    await storeNew(inbox, { key: 'h', reference: '', comment: 'Ж'.repeat(9999) })
    assert.deepEqual(idsOf(await list(inbox, { comment: 'ж'.repeat(10_000) })), [long.id])
    const silent = await storeNew(inbox, { key: 'i', reference: '' })
    assert.deepEqual(idsOf(await list(inbox, { comment: '' })), [silent.id])
    const comment = 'ANN-order'
    assert.deepEqual(idsOf(await list(inbox, { comment })), [upper.id, lower.id])
    assert.deepEqual(idsOf(await list(inbox, { comment, limit: 1 })), [upper.id])
    assert.deepEqual(idsOf(await list(inbox, { comment, reference: 'ann-order' })), [lower.id])
    assert.deepEqual(await list(inbox, { comment: 'ann' }), [])
    assert.deepEqual(await list(inbox, { comment: 'ann\0order' }), [])
  })
  test('finds the transactions and the senders with these parts', async ({ inbox }) => {
    for (const [key, txHash, senderAddr] of [
      ['a', 'ab-1', 'UQ-a-z'],
      ['b', 'ab-2', 'UQ-a-z'],
      ['c', 'Ab-3', 'UQ-b-z'],
      ['d', 'xab', 'UQ-a-y'],
      ['e', 'x'.repeat(60_000), 'UQ-a-z'.padEnd(60_000, 'x')],
    ] as const) {
      await storeNew(inbox, { key, txHash, senderAddr })
    }
    await storeNew(inbox, { key: 'f', name: 'other', txHash: 'ab-4', senderAddr: 'UQ-a-other-z' })
    const find = async (txHashStarts: string[], ends: [string, string][] = [], limit = 10) => {
      const senderEnds = ends.map(([start, end]) => ({ start, end }))
      const parts = { name: NAME, txHashStarts, senderEnds, limit }
      const { txHashes, senderAddrs } = await inbox.reports.findValues(parts)
      return [...txHashes.toSorted(), ...senderAddrs.toSorted()]
    }
    assert.deepEqual(await find(['ab']), ['ab-1', 'ab-2'])
    assert.deepEqual(await find(['ab-2', 'Ab', 'none']), ['Ab-3', 'ab-2'])
    assert.equal((await find(['ab'], [], 1)).length, 1)
    assert.deepEqual(await find([], [['UQ-a', '-z']]), ['UQ-a-z'])
    assert.deepEqual(
      await find(
        [],
        [
          ['UQ-a', '-z'],
          ['UQ-b', 'z'],
        ],
      ),
      ['UQ-a-z', 'UQ-b-z'],
    )
    assert.equal((await find([], [['UQ-', '']], 2)).length, 2)
    assert.deepEqual(await find(['ab\0'], [['UQ\0', 'z']]), [])
    assert.deepEqual(await find([]), [])
  })
  test('stores senders and amounts of any length and characters', async ({ inbox }) => {
    const texts = ['x'.repeat(60_000), 'a\0b', '\ud800', '']
    for (const [index, text] of texts.entries()) {
      const given = { key: `report ${index}`, senderAddr: text, rawAmount: text }
      const { id } = await storeNew(inbox, given)
      assert.equal((await findReport(inbox, id)).state, 'undecided')
    }
  })
}

function describePages({ test }: Suite<InboxHarness>): void {
  const queries: Record<string, Partial<ReportQuery>> = {
    'of all reports': {},
    'of an order': { reference: 'order-1' },
    'of a trace': { hashes: [TRACE] },
    'with a decision': { decision: ['asset_mismatch', 'unknown_order'] },
    'of a sender': { senderAddrs: ['UQ-a'] },
    'with an amount': { rawAmounts: ['7'] },
    'with a dead task': { hasDeadTask: true },
  }
  for (const [what, query] of Object.entries(queries)) {
    test(`lists every report ${what} on one page, in one sequence`, async ({ inbox }) => {
      const sent = { senderAddr: 'UQ-a', rawAmount: '7', traceId: TRACE }
      const ids: string[] = []
      for (let index = 0; index < 5; index++) {
        const decision = makeMismatch()
        const task = await storeDead(inbox, `task ${index}`, { decision, ...sent })
        ids.unshift(task.reportId)
      }
      const pages: string[] = []
      let before: string | undefined
      for (let page = 0; page < 3; page++) {
        const found = idsOf(await list(inbox, { ...query, before, limit: 2 }))
        pages.push(...found)
        before = found.at(-1)
        // A report that arrives in the meantime is on no later page.
        await storeDead(inbox, `later ${page}`, { decision: makeMismatch(), ...sent })
      }
      assert.deepEqual(pages, ids)
      assert.deepEqual(await list(inbox, { ...query, before }), [])
    })
  }
  test('lists nothing before an unknown report', async ({ inbox }) => {
    await storeNew(inbox)
    for (const before of ["no such id '", '']) assert.deepEqual(await list(inbox, { before }), [])
  })
  test('selects the reports with a dead task', async ({ inbox }) => {
    const dead = await storeDead(inbox, 'a')
    await decideWithTasks(inbox, 'b')
    assert.deepEqual(idsOf(await list(inbox, { hasDeadTask: true })), [dead.reportId])
    await inbox.tasks.replay(dead.id)
    assert.deepEqual(await list(inbox, { hasDeadTask: true }), [])
  })
}

function describeLimit({ test }: Suite<InboxHarness>): void {
  test('lists the newest reports up to the limit', async ({ inbox }) => {
    const ids = (await storeMany(inbox, 4)).toReversed()
    assert.deepEqual(idsOf(await list(inbox, { limit: 2 })), ids.slice(0, 2))
    assert.deepEqual(idsOf(await list(inbox, { reference: 'order-1', limit: 3 })), ids.slice(0, 3))
    assert.deepEqual(idsOf(await list(inbox, { limit: 4 })), ids)
  })
}

function describeContent({ test }: Suite<InboxHarness>): void {
  test('returns reports as find does, with their last decision', async ({ inbox }) => {
    const { id } = await storeNew(inbox, { reference: 'order-1 💎' })
    await park(inbox, id, MARGIN_MS)
    const decision: Decision = { ...makeMismatch(), reference: 'order-1 💎' }
    await inbox.reports.decide(id, { decision })
    const stored = await findReport(inbox, id)
    assertReports(await list(inbox), [stored])
    assertReports(await list(inbox, { reference: 'order-1 💎' }), [stored])
  })
}

/** Lists reports of {@link NAME}. */
function list(inbox: Inbox, query: Partial<ReportQuery> = {}): Promise<Report[]> {
  return inbox.reports.list({ name: NAME, limit: 10, ...query })
}

/** Returns ids in the sequence of the reports. */
function idsOf(reports: readonly { id: string }[]): string[] {
  return reports.map(({ id }) => id)
}

/** Stores a report in every state. @returns what each is, by its id. */
async function storeOneOfEach(inbox: Inbox): Promise<Map<string, string>> {
  const decision = makeMismatch()
  const mismatch = await storeDecided(inbox, { key: 'mismatch', decision })
  const parked = await storeNew(inbox, { key: 'parked', traceId: TRACE })
  await park(inbox, parked.id, MARGIN_MS)
  const merchant = await storeDecided(inbox, {
    key: 'merchant',
    merchant: 'shop-a',
    txHash: 'tx-7',
    decision,
  })
  const undecided = await storeNew(inbox, { key: 'undecided', txHash: 'tx-8' })
  const paid = await storeDecided(inbox, {
    key: 'paid',
    reference: 'order-2',
    txHash: 'tx-7',
    traceId: TRACE,
  })
  const unreadable = await inbox.reports.store(
    makeReport({ key: 'unreadable', reference: '', txHash: '', problem: 'not JSON' }),
  )
  const reports = { mismatch, parked, merchant, undecided, paid, unreadable }
  return new Map(Object.entries(reports).map(([what, { id }]) => [id, what]))
}
