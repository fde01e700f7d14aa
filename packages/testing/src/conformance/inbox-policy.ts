import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox-harness.js'
import {
  CALLS,
  findReport,
  idsOf,
  LEASE_MS,
  MARGIN_MS,
  NAME,
  register,
  storeNew,
} from './inbox-fixtures.js'
import { callConcurrently, type Suite } from './runner.js'

const TTL_MS = 600_000
const HOUR_MS = 3_600_000

/** The pinned policy: reports are claimed by processes that have it, and by no others. */
export function describePolicy(suite: Suite<InboxHarness>): void {
  suite.describe('policy', () => {
    describePinning(suite)
    describeTakeover(suite)
    describeClaims(suite)
  })
}

function describePinning({ test }: Suite<InboxHarness>): void {
  test('S70 register pins the first policy and returns it to processes with another one', async (harness) => {
    const { inbox } = harness
    assert.deepEqual(await register(inbox, { policy: 'strict' }), { policy: 'strict' })
    assert.deepEqual(await register(inbox, { policy: 'lax' }), { policy: 'strict' })
    assert.deepEqual(await register(inbox, { policy: 'strict' }), { policy: 'strict' })
  })
  test('S70 a pinned policy stays while it is registered again within its time', async (harness) => {
    const { inbox, advance } = harness
    await register(inbox, { policy: 'strict', policyTtlMs: TTL_MS })
    for (let round = 0; round < 3; round++) {
      await advance(TTL_MS - MARGIN_MS)
      const pinned = await register(inbox, { policy: 'lax', policyTtlMs: TTL_MS })
      assert.deepEqual(pinned, { policy: 'strict' })
      await register(inbox, { policy: 'strict', policyTtlMs: TTL_MS })
    }
  })
  test('S60 S70 pins a policy for each name', async ({ inbox }) => {
    await register(inbox, { policy: 'strict' })
    const other = await register(inbox, { name: 'other', policy: 'lax' })
    assert.equal(other.policy, 'lax')
  })
  test('S119 states that the store has other names', async ({ inbox }) => {
    assert.equal((await register(inbox)).hasOtherNames ?? false, false)
    assert.equal((await register(inbox, { name: 'other' })).hasOtherNames, true)
    assert.equal((await register(inbox)).hasOtherNames, true)
  })
  test('S116 states for an hour that a process of the name has a watcher', async (harness) => {
    const { inbox, advance } = harness
    const isWatched = async (name = NAME): Promise<boolean | undefined> =>
      (await register(inbox, { name })).isWatched ?? false
    assert.equal(await isWatched(), false)
    assert.equal((await register(inbox, { isWatching: true })).isWatched, true)
    assert.deepEqual([await isWatched(), await isWatched('other')], [true, false])
    await advance(HOUR_MS - MARGIN_MS)
    assert.equal(await isWatched(), true)
    await advance(2 * MARGIN_MS)
    assert.equal(await isWatched(), false)
  })
  test(`S70 pins one of ${CALLS} policies that are registered concurrently`, async ({ inbox }) => {
    const pinned = await callConcurrently(CALLS, (index) =>
      register(inbox, { policy: `policy-${index}` }),
    )
    assert.equal(new Set(pinned.map(({ policy }) => policy)).size, 1)
  })
}

function describeTakeover({ test }: Suite<InboxHarness>): void {
  test('S70 another policy takes over when the pinned one was not registered within its time', async (harness) => {
    const { inbox, advance } = harness
    await register(inbox, { policy: 'old', policyTtlMs: TTL_MS })
    await advance(TTL_MS + MARGIN_MS)
    const query = { policy: 'new', policyTtlMs: TTL_MS }
    assert.deepEqual(await register(inbox, query), { policy: 'new' })
    assert.deepEqual(await register(inbox, { ...query, policy: 'old' }), { policy: 'new' })
  })
  test('S70 a registration with another policy does not extend the time of the pinned one', async (harness) => {
    const { inbox, advance } = harness
    await register(inbox, { policy: 'old', policyTtlMs: TTL_MS })
    await advance(TTL_MS / 2)
    await register(inbox, { policy: 'new', policyTtlMs: TTL_MS })
    await advance(TTL_MS / 2 + MARGIN_MS)
    const pinned = await register(inbox, { policy: 'new', policyTtlMs: TTL_MS })
    assert.deepEqual(pinned, { policy: 'new' })
  })
}

function describeClaims({ test }: Suite<InboxHarness>): void {
  test('S70 claimReports returns none unless the policy is the pinned one', async ({ inbox }) => {
    const { id } = await storeNew(inbox, { retryInMs: 0 })
    assert.deepEqual(await claimWith(inbox, 'strict'), [], 'no policy is pinned')
    await register(inbox, { policy: 'strict' })
    await register(inbox, { policy: 'lax' })
    assert.deepEqual(await claimWith(inbox, 'lax'), [])
    assert.deepEqual(await claimWith(inbox, ''), [])
    assert.equal((await findReport(inbox, id)).attempts, 0)
    assert.deepEqual(idsOf(await claimWith(inbox, 'strict')), [id])
  })
  test('S70 claimReports of one order returns none for another policy either', async (harness) => {
    const { inbox } = harness
    await storeNew(inbox, { retryInMs: 0 })
    await register(inbox, { policy: 'strict' })
    const key = { reference: 'order-1', merchant: '' }
    const query = { name: NAME, key, retryInMs: LEASE_MS, limit: 10 }
    assert.deepEqual(await inbox.reports.claim({ ...query, policy: 'lax' }), [])
    assert.equal((await inbox.reports.claim({ ...query, policy: 'strict' })).length, 1)
  })
  test('S70 claimReports returns none for the former policy after another one took over', async (harness) => {
    const { inbox, advance } = harness
    const { id } = await storeNew(inbox, { retryInMs: 0 })
    await register(inbox, { policy: 'old', policyTtlMs: TTL_MS })
    await advance(TTL_MS + MARGIN_MS)
    await register(inbox, { policy: 'new', policyTtlMs: TTL_MS })
    assert.deepEqual(await claimWith(inbox, 'old'), [])
    assert.deepEqual(idsOf(await claimWith(inbox, 'new')), [id])
  })
}

function claimWith(inbox: Inbox, policy: string) {
  return inbox.reports.claim({ name: NAME, policy, retryInMs: LEASE_MS, limit: 10 })
}
