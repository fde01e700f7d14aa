import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import { describeClaimDeliveries } from './inbox-claims.js'
import { describeDecide } from './inbox-decide.js'
import { describeNextDue } from './inbox-next-due.js'
import { describeStore } from './inbox-store.js'
import { describeTaskLeases } from './inbox-leases.js'
import { describeTaskOutcomes } from './inbox-outcomes.js'
import { describePayments } from './inbox-payments.js'
import { describeReceivers } from './inbox-receivers.js'
import { describeUpkeep } from './inbox-upkeep.js'
import { type MakeHarness, type TestRunner, withHarness } from './runner.js'

/** An inbox under test. It starts empty. */
export interface InboxHarness {
  inbox: Inbox
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

/**
 * Defines the tests that every {@link Inbox} has to pass: each sentence of its contract, with
 * concurrent calls and with the caller's time, which is years before the machine's.
 * @param makeHarness makes an empty inbox; called once for each test.
 * @example
 * ```ts
 * import { describe, it } from 'node:test'
 * import { memoryInbox } from '@tonplug/core'
 * import { describeInbox } from '@tonplug/testing'
 *
 * describeInbox('memory', () => ({ inbox: memoryInbox() }), { describe, it })
 * ```
 */
export function describeInbox(
  name: string,
  makeHarness: MakeHarness<InboxHarness>,
  runner: TestRunner,
): void {
  const suite = { makeHarness, runner }
  runner.describe(`Inbox: ${name}`, () => {
    runner.it('says what it is', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        assert.ok(inbox.name.length > 0, 'it has a name')
        assert.equal(typeof inbox.isDurable, 'boolean')
      }),
    )
    describeStore(suite)
    describeDecide(suite)
    describeClaimDeliveries(suite)
    describeTaskLeases(suite)
    describeTaskOutcomes(suite)
    describeNextDue(suite)
    describeReceivers(suite)
    describeUpkeep(suite)
    describePayments(suite)
  })
}
