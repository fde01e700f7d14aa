import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertDecision,
  assertReports,
  claimReports,
  findReport,
  idsOf,
  LEASE_MS,
  makePaid,
  makeUnmatched,
  MARGIN_MS,
  NAME,
  park,
  register,
  storeMany,
  storeNew,
  storeParked,
  SWEEP_MS,
  UNKNOWN_IDS,
  storeDecided,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const ORDER = { name: NAME, merchant: '', reference: 'order-1' }

/** claimReports, postpone and orderCreated: reports that the sweep decides. */
export function describeClaimReports(suite: Suite<InboxHarness>): void {
  suite.describe('claimReports', () => {
    describeDue(suite)
    describeSharing(suite)
    describeOneOrder(suite)
  })
  suite.describe('postpone', () => describePostpone(suite))
  suite.describe('orderCreated', () => {
    describeMatching(suite)
    describeMatchRaces(suite)
  })
}

function describeDue({ test }: Suite<InboxHarness>): void {
  test('S45 claims an undecided report when it is due, and postpones it', async (harness) => {
    const { inbox, advance } = harness
    const stored = await storeNew(inbox)
    await advance(SWEEP_MS - MARGIN_MS)
    assert.deepEqual(await claimReports(inbox), [])
    await advance(2 * MARGIN_MS)
    assertReports(await claimReports(inbox), [{ ...stored, attempts: 1 }])
    await advance(LEASE_MS - MARGIN_MS)
    assert.deepEqual(await claimReports(inbox), [])
    await advance(2 * MARGIN_MS)
    assertReports(await claimReports(inbox), [{ ...stored, attempts: 2 }])
    assert.equal((await findReport(inbox, stored.id)).attempts, 2)
  })
  test('S56 claims a parked report after the time that its decision gave', async (harness) => {
    const { inbox, advance } = harness
    const { id } = await storeParked(inbox, { retryInMs: 3 * SWEEP_MS })
    await advance(3 * SWEEP_MS - MARGIN_MS)
    assert.deepEqual(await claimReports(inbox), [])
    await advance(2 * MARGIN_MS)
    const [claimed] = await claimReports(inbox)
    assert.deepEqual([claimed?.id, claimed?.state, claimed?.attempts], [id, 'parked', 1])
    assertDecision(claimed?.decision, makeUnmatched())
  })
  test('never claims a decided report', async ({ inbox, advance }) => {
    await storeDecided(inbox)
    const parked = await storeParked(inbox, { key: 'key-2' })
    await inbox.reports.decide(parked.id, { decision: makePaid() })
    await advance(10 * LEASE_MS)
    assert.deepEqual(await claimReports(inbox), [])
  })
}

function describeSharing({ test }: Suite<InboxHarness>): void {
  test('claims at most `limit` reports, and the others next', async ({ inbox }) => {
    const ids = await storeMany(inbox, 5, { retryInMs: 0 })
    const sizes: number[] = []
    const claimed: string[] = []
    for (let round = 0; round < 3; round++) {
      const part = await claimReports(inbox, { limit: 2 })
      sizes.push(part.length)
      claimed.push(...idsOf(part))
    }
    assert.deepEqual(sizes, [2, 2, 1])
    assert.deepEqual(claimed.sort(), ids.sort())
  })
  test('S39 gives each report to one of several concurrent claims', async ({ inbox }) => {
    const ids = await storeMany(inbox, 10, { retryInMs: 0 })
    await register(inbox)
    const parts = await callConcurrently(20, () => claimReports(inbox, { limit: 3 }))
    const claimed = idsOf(parts.flat())
    assert.equal(new Set(claimed).size, claimed.length, 'no report is claimed twice')
    const rest = await claimReports(inbox)
    assert.deepEqual([...claimed, ...idsOf(rest)].sort(), ids.sort())
  })
}

function describeOneOrder({ test }: Suite<InboxHarness>): void {
  test('claims the reports of one order if its key is given', async ({ inbox }) => {
    const { id } = await storeNew(inbox, { key: 'key-1', retryInMs: 0 })
    await storeNew(inbox, { key: 'key-2', reference: 'order-2', retryInMs: 0 })
    assert.deepEqual(idsOf(await claimReports(inbox, { reference: 'order-1' })), [id])
  })
  test('S66 claims no report of another merchant whose reference is equal', async ({ inbox }) => {
    const ids: string[] = []
    for (const merchant of ['', 'shop-a', 'shop-b']) {
      ids.push((await storeNew(inbox, { key: merchant, merchant, retryInMs: 0 })).id)
    }
    const key = { reference: 'order-1', merchant: 'shop-a' }
    assert.deepEqual(idsOf(await claimReports(inbox, key)), [ids[1]])
    assert.deepEqual(idsOf(await claimReports(inbox, { reference: 'order-1' })), [ids[0]])
    assert.deepEqual(idsOf(await claimReports(inbox)), [ids[2]])
  })
  test('does not claim a report of the order before it is due', async ({ inbox }) => {
    await storeNew(inbox)
    assert.deepEqual(await claimReports(inbox, { reference: 'order-1' }), [])
  })
}

function describePostpone({ test }: Suite<InboxHarness>): void {
  test('postpones a report that could not be decided', async ({ inbox, advance }) => {
    const { id } = await storeNew(inbox, { retryInMs: 0 })
    await inbox.reports.postpone(id, SWEEP_MS)
    await advance(SWEEP_MS - MARGIN_MS)
    assert.deepEqual(await claimReports(inbox), [])
    await advance(2 * MARGIN_MS)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
  })
  test('does not change a report that was decided in the meantime, or an unknown id', async (harness) => {
    const { inbox } = harness
    const { id } = await storeDecided(inbox)
    await inbox.reports.postpone(id, 0)
    for (const unknown of UNKNOWN_IDS) await inbox.reports.postpone(unknown, 0)
    assert.deepEqual(await claimReports(inbox), [])
    assert.equal((await findReport(inbox, id)).state, 'decided')
  })
}

function describeMatching({ test }: Suite<InboxHarness>): void {
  test('S56 makes the parked reports of the order due at once', async ({ inbox }) => {
    const first = await storeParked(inbox, { key: '1' })
    const second = await storeParked(inbox, { key: '2' })
    await storeParked(inbox, { key: '3', reference: 'order-2' })
    assert.equal(await inbox.reports.orderCreated(ORDER), 2)
    assert.deepEqual(idsOf(await claimReports(inbox)), idsOf([first, second]))
  })
  test('S66 matches no report of another merchant whose reference is equal', async ({ inbox }) => {
    await storeParked(inbox, { key: '1' })
    const { id } = await storeParked(inbox, { key: '2', merchant: 'shop-a' })
    await storeParked(inbox, { key: '3', merchant: 'shop-b' })
    assert.equal(await inbox.reports.orderCreated({ ...ORDER, merchant: 'shop-a' }), 1)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
    assert.equal(await inbox.reports.orderCreated({ ...ORDER, merchant: 'shop-c' }), 0)
  })
  test('neither changes nor counts reports that are undecided or decided', async ({ inbox }) => {
    await storeNew(inbox)
    await storeDecided(inbox, { key: 'key-2' })
    assert.equal(await inbox.reports.orderCreated(ORDER), 0)
    assert.equal(await inbox.reports.orderCreated({ ...ORDER, reference: 'unknown' }), 0)
    assert.deepEqual(await claimReports(inbox), [])
  })
}

function describeMatchRaces({ test }: Suite<InboxHarness>): void {
  test('S56 keeps a report due that is matched while another process parks it again', async (harness) => {
    const { inbox, advance } = harness
    const { id } = await storeParked(inbox, { retryInMs: 0 })
    assert.equal((await claimReports(inbox)).length, 1)
    // The process that claimed the report did not find the order; it has been stored since.
    await inbox.reports.orderCreated(ORDER)
    await park(inbox, id, SWEEP_MS)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
    await park(inbox, id, SWEEP_MS)
    await advance(SWEEP_MS - MARGIN_MS)
    assert.deepEqual(await claimReports(inbox), [], 'a match counts once')
  })
  test('S56 keeps a report due that is matched while another process fails to decide it', async (harness) => {
    const { inbox, advance } = harness
    const { id } = await storeParked(inbox, { retryInMs: 0 })
    assert.equal((await claimReports(inbox)).length, 1)
    await inbox.reports.orderCreated(ORDER)
    await inbox.reports.postpone(id, SWEEP_MS)
    assert.deepEqual(idsOf(await claimReports(inbox)), [id])
    await inbox.reports.postpone(id, SWEEP_MS)
    await advance(SWEEP_MS - MARGIN_MS)
    assert.deepEqual(await claimReports(inbox), [], 'a match counts once')
  })
  test('S56 loses no match when a report is matched and parked concurrently', async ({ inbox }) => {
    const ids = await callConcurrently(20, async (index) => {
      const changes = { key: `key-${index}`, reference: `order-${index}`, retryInMs: 0 }
      return (await storeParked(inbox, changes)).id
    })
    await claimReports(inbox)
    await callConcurrently(40, async (index) => {
      const number = index >> 1
      if (index % 2 === 0) await park(inbox, ids[number] ?? '', SWEEP_MS)
      else await inbox.reports.orderCreated({ ...ORDER, reference: `order-${number}` })
    })
    assert.deepEqual(idsOf(await claimReports(inbox)), ids.toSorted())
  })
}
