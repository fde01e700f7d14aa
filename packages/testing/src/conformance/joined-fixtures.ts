import assert from 'node:assert/strict'
import type { JoinedOrders } from '@tonplug/core'
import { makePaid, makeTasks, NAME } from './inbox-fixtures.js'
import type { JoinedOrdersHarness } from './joined-harness.js'
import { KEY, makePayment } from './order-fixtures.js'

/** Arguments of `completeAndDecide`. */
export type CompleteMove = Parameters<JoinedOrders['completeAndDecide']>[1]

/** Returns the joined steps of the harness. */
export function join({ inbox, repository }: JoinedOrdersHarness): JoinedOrders {
  const joined = inbox.joinOrders?.(repository)
  assert.ok(joined, 'inbox.joinOrders must return the joined steps for these orders')
  return joined
}

/** Returns a move that completes `order-1` by {@link makePayment}, with one task. */
export function makeMove(changes: Partial<CompleteMove> = {}): CompleteMove {
  const payment = changes.payment ?? makePayment()
  const record = { decision: makePaid(), tasks: makeTasks('a') }
  return { key: KEY, payment, payments: [`tx:${payment.txHash}`], record, ...changes }
}

/** Asserts that both steps were made. @returns whether the decision was recorded. */
export function assertMade(made: Awaited<ReturnType<JoinedOrders['completeAndDecide']>>): boolean {
  assert.ok('isRecorded' in made, `expected applied; received ${made.transition}`)
  return made.isRecorded
}

/** Asserts that another order could claim the payments: no order has claimed them. Claims them. */
export async function assertUnclaimed(
  { inbox }: JoinedOrdersHarness,
  payments: readonly string[],
): Promise<void> {
  const query = { name: NAME, merchant: '', reference: 'another order', payments }
  assert.equal(await inbox.credits.claim(query), true, 'the payments are not claimed')
}
