import assert from 'node:assert/strict'
import type { Inbox, Report } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertDecision,
  assertReports,
  claimReports,
  findReport,
  idsOf,
  LONG_MS,
  makePaid,
  makeReport,
  NAME,
  redecide,
  storeParked,
  storeDecided,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

const PROBLEM = 'data.rawAmount must be a string of digits; received 1.5'
const READING = {
  reference: 'order-7',
  txHash: 'tx-7',
  traceId: 'ab'.repeat(32),
  senderAddr: 'UQ-a',
  rawAmount: '7',
  wasCompletedBefore: true,
}

/** Authentic reports whose body cannot be read, and reread. */
export function describeUnreadable(suite: Suite<InboxHarness>): void {
  suite.describe('unreadable reports and reread', () => {
    describeStored(suite)
    describeReread(suite)
    describeRepeatedReading(suite)
    describeIgnoredReading(suite)
  })
}

function describeStored({ test }: Suite<InboxHarness>): void {
  test('S72 stores a report with a problem as unreadable', async ({ inbox }) => {
    const report = await storeUnreadable(inbox)
    assert.equal(report.problem, PROBLEM)
    assertReports([await findReport(inbox, report.id)], [report])
    assertReports([await inbox.reports.store(makeReport())], [report])
  })
  test('S72 neither claims nor matches an unreadable report', async ({ inbox, advance }) => {
    const { id } = await storeUnreadable(inbox, 'order-1')
    const key = { name: NAME, merchant: '', reference: 'order-1' }
    assert.equal(await inbox.reports.orderCreated(key), 0)
    await advance(LONG_MS / 2)
    assert.deepEqual(await claimReports(inbox), [])
    assert.equal(await inbox.processes.nextDueInMs({ name: NAME }), undefined)
    assert.equal((await findReport(inbox, id)).state, 'unreadable')
  })
}

function describeReread({ test }: Suite<InboxHarness>): void {
  test('S72 redecide makes an unreadable report undecided and due; reread stores its fields', async (harness) => {
    const { inbox } = harness
    const { id } = await storeUnreadable(inbox)
    assert.equal(await redecide(inbox, { state: 'unreadable' }), 1)
    const [claimed] = await claimReports(inbox)
    assert.deepEqual([claimed?.id, claimed?.state], [id, 'undecided'])
    await inbox.reports.reread(id, READING)
    const report = await findReport(inbox, id)
    const { reference, txHash, wasCompletedBefore } = report
    const { traceId, senderAddr, rawAmount, ...reading } = READING
    assert.deepEqual({ reference, txHash, wasCompletedBefore }, reading)
    const query = { name: NAME, senderAddrs: [senderAddr], rawAmounts: [rawAmount], limit: 10 }
    assert.deepEqual(idsOf(await inbox.reports.list(query)), [id])
    const ofTrace = await inbox.reports.list({ name: NAME, hashes: [traceId], limit: 10 })
    assert.deepEqual(idsOf(ofTrace), [id])
    assert.deepEqual([report.state, report.problem], ['undecided', undefined])
  })
  test('S72 a report that was reread is matched and claimed by its new reference', async (harness) => {
    const { inbox } = harness
    const { id } = await storeUnreadable(inbox)
    await inbox.reports.reread(id, READING)
    await inbox.reports.decide(id, {
      decision: { kind: 'unknown_order', ...READING },
      retryInMs: LONG_MS,
    })
    const key = { merchant: '', reference: READING.reference }
    assert.equal(await inbox.reports.orderCreated({ name: NAME, ...key }), 1)
    assert.deepEqual(idsOf(await claimReports(inbox, key)), [id])
    const standing = await inbox.reports.decide(id, { decision: makePaid() })
    assert.equal(standing.isRecorded, true)
    assert.equal((await findReport(inbox, id)).state, 'decided')
  })
  test('S72 the sweep claims a report that was reread and not decided', async (harness) => {
    const { inbox, advance } = harness
    const { id } = await storeUnreadable(inbox)
    await inbox.reports.reread(id, READING)
    await advance(LONG_MS / 2)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
  })
}

function describeRepeatedReading({ test }: Suite<InboxHarness>): void {
  test('S72 reread makes an undecided report unreadable again, with its new problem', async (harness) => {
    const { inbox } = harness
    const { id } = await storeUnreadable(inbox)
    await redecide(inbox, { ids: [id] })
    await inbox.reports.reread(id, { problem: 'unknown event' })
    const { state, problem } = await findReport(inbox, id)
    assert.deepEqual([state, problem], ['unreadable', 'unknown event'])
    assert.deepEqual(await claimReports(inbox), [])
    assert.equal((await inbox.stats()).unreadable, 1)
  })
  test('reread of an unreadable report keeps its body', async ({ inbox }) => {
    const { id, rawBody, signedWith, source, payments } = await storeUnreadable(inbox)
    await inbox.reports.reread(id, READING)
    const report = await findReport(inbox, id)
    assert.deepEqual(
      [report.rawBody, report.signedWith, report.source, report.payments],
      [rawBody, signedWith, source, payments],
    )
  })
}

function describeIgnoredReading({ test }: Suite<InboxHarness>): void {
  test('reread does not change a report that another process has read', async ({ inbox }) => {
    const { id } = await storeUnreadable(inbox)
    await inbox.reports.reread(id, READING)
    const before = await findReport(inbox, id)
    await inbox.reports.reread(id, { ...READING, wasCompletedBefore: false })
    await inbox.reports.reread(id, { problem: 'late' })
    assertReports([await findReport(inbox, id)], [before])
  })
  test('reread does not change a report that is parked or decided', async ({ inbox }) => {
    const parked = await storeParked(inbox)
    const decided = await storeDecided(inbox, { key: 'key-2' })
    for (const { id, reference } of [parked, decided]) {
      const before = await findReport(inbox, id)
      await inbox.reports.reread(id, READING)
      await inbox.reports.reread(id, { problem: 'late' })
      const after = await findReport(inbox, id)
      assertReports([after], [before])
      assert.equal(after.reference, reference)
    }
    assertDecision((await findReport(inbox, decided.id)).decision, makePaid())
  })
}

async function storeUnreadable(inbox: Inbox, reference = ''): Promise<Report> {
  const report = await inbox.reports.store(makeReport({ reference, txHash: '', problem: PROBLEM }))
  assert.equal(report.state, 'unreadable')
  return report
}
