import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import { describeClaimReports } from './inbox-claims.js'
import { describeCredits } from './inbox-credits.js'
import { describeDecide } from './inbox-decide.js'
import { describeSubscriptions } from './inbox-subscriptions.js'
import { describeForget } from './inbox-forget.js'
import { describeTaskLeases } from './inbox-leases.js'
import { describeListReports } from './inbox-list-reports.js'
import { describeNames } from './inbox-names.js'
import { describeNextDue } from './inbox-next-due.js'
import { describeOperators } from './inbox-operators.js'
import { describeTaskOutcomes } from './inbox-outcomes.js'
import { describePayments } from './inbox-payments.js'
import { describePolicy } from './inbox-policy.js'
import { describeRedecide } from './inbox-redecide.js'
import { describeRelay } from './inbox-relay.js'
import { describeReplay } from './inbox-replay.js'
import { describeStats } from './inbox-stats.js'
import { describeStore } from './inbox-store.js'
import { describeSums } from './inbox-sums.js'
import { describeTakenCredits } from './inbox-taken-credits.js'
import { describeUnreadable } from './inbox-unreadable.js'
import { defineTestsWith, type MakeHarness, type TestRunner } from './runner.js'

/**
 * Defines the tests that every `Inbox` must pass: each sentence of its contract, with concurrent calls.
 * @param makeHarness creates an empty inbox; called once for each test.
 */
export function describeInbox(
  name: string,
  makeHarness: MakeHarness<InboxHarness>,
  runner: TestRunner,
): void {
  const test = defineTestsWith(makeHarness, runner)
  const suite = { describe: runner.describe, test }
  runner.describe(`Inbox: ${name}`, () => {
    test('has a name and states whether it is durable', async ({ inbox }) => {
      assert.ok(inbox.name.length > 0, 'inbox.name must not be empty')
      assert.equal(typeof inbox.isDurable, 'boolean')
    })
    describeStore(suite)
    describeUnreadable(suite)
    describeDecide(suite)
    describeSubscriptions(suite)
    describePolicy(suite)
    describeClaimReports(suite)
    describeRedecide(suite)
    describeListReports(suite)
    describeTaskLeases(suite)
    describeTaskOutcomes(suite)
    describeRelay(suite)
    describeNextDue(suite)
    describeNames(suite)
    describeStats(suite)
    describeReplay(suite)
    describeOperators(suite)
    describeForget(suite)
    describePayments(suite)
    describeCredits(suite)
    describeTakenCredits(suite)
    describeSums(suite)
  })
}
