import assert from 'node:assert/strict'
import type {
  Decision,
  Delivery,
  HandlerTask,
  Inbox,
  NewDelivery,
  NewHandlerTask,
} from '@tonplug/core'

/** The time of the tests; years before the machine's, which an inbox must not ask. */
export const NOW_MS = Date.UTC(2020, 0, 5, 12)
/** Whose deliveries they are. */
export const RECEIVER = 'default'
/** The end of the leases that the tests take. */
export const LEASE_MS = NOW_MS + 60_000

/** A delivery for `order-1` that the sweep would look at after 30 s. */
export function makeDelivery(changes: Partial<NewDelivery> = {}): NewDelivery {
  return {
    receiver: RECEIVER,
    key: 'key-1',
    reference: 'order-1',
    txHash: 'c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f',
    rawBody: '{"event":"transfer.completed"}',
    signedWith: 'secrets[0]',
    wasCompletedBefore: false,
    receivedAtMs: NOW_MS,
    retryAtMs: NOW_MS + 30_000,
    ...changes,
  }
}

/** The decision to complete an order. */
export function makePaid(changes: { reference?: string; txHash?: string } = {}): Decision {
  return {
    kind: 'paid',
    reference: 'order-1',
    txHash: 'c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f',
    expected: '10500000000',
    received: '10500000000',
    amountRule: 'equal',
    late: false,
    ...changes,
  }
}

/** The decision that parks a delivery. */
export function makeUnmatched(): Decision {
  return { kind: 'unmatched', reference: 'order-1', txHash: 'tx-1' }
}

/** Tasks for one handler with the given keys. */
export function makeTasks(...keys: readonly string[]): NewHandlerTask[] {
  return keys.map((idempotencyKey) => ({ idempotencyKey, handler: 'onPaid' }))
}

/** Stores a delivery that must be new. */
export async function storeNew(inbox: Inbox, changes?: Partial<NewDelivery>): Promise<Delivery> {
  const delivery = await inbox.store(makeDelivery(changes))
  assert.equal(delivery.state, 'undecided', 'the delivery is new')
  return delivery
}

/** Stores a delivery and decides it with tasks of these keys. */
export async function decideWithTasks(inbox: Inbox, ...keys: readonly string[]): Promise<Delivery> {
  const delivery = await storeNew(inbox, { key: `key of ${keys.join()}` })
  await inbox.decide(delivery.id, { decision: makePaid(), tasks: makeTasks(...keys) })
  return delivery
}

/** Leases every task of the handlers that is due at `nowMs`. */
export function claimTasks(
  inbox: Inbox,
  { handlers = ['onPaid'], nowMs = NOW_MS, leaseUntilMs = LEASE_MS, limit = 100 } = {},
): Promise<HandlerTask[]> {
  return inbox.claimTasks({ receiver: RECEIVER, handlers, nowMs, leaseUntilMs, limit })
}

/** When there is something to do for a process that has the handlers. */
export function findNextDue(inbox: Inbox, handlers = ['onPaid']): Promise<number | undefined> {
  return inbox.nextDueMs({ receiver: RECEIVER, handlers })
}

/** Leases the one task that is due at `nowMs`. */
export async function claimOne(
  inbox: Inbox,
  query?: { nowMs?: number; leaseUntilMs?: number },
): Promise<HandlerTask> {
  const [task, ...others] = await claimTasks(inbox, query)
  assert.ok(task !== undefined && others.length === 0, 'exactly one task is due')
  return task
}

/** Leases the two tasks that are due at `NOW_MS`. */
export async function claimTwo(inbox: Inbox): Promise<[HandlerTask, HandlerTask]> {
  const [first, second, ...others] = await claimTasks(inbox)
  assert.ok(first !== undefined && second !== undefined && others.length === 0, 'two are due')
  return [first, second]
}

/** Claims every delivery that is due at `nowMs`, putting it off to the end of the leases. */
export function claimDeliveries(
  inbox: Inbox,
  { nowMs = NOW_MS, retryAtMs = LEASE_MS, limit = 100 } = {},
): Promise<Delivery[]> {
  return inbox.claimDeliveries({ receiver: RECEIVER, nowMs, retryAtMs, limit })
}

/** The row of a delivery, which must be there. */
export async function findDelivery(inbox: Inbox, id: string): Promise<Delivery> {
  const delivery = await inbox.find(id)
  assert.ok(delivery !== null, 'the delivery is there')
  return delivery
}

/** Compares decisions as the JSON that they may be kept as. */
export function assertDecision(actual: Decision | undefined, expected: Decision): void {
  assert.deepEqual(toJson(actual), toJson(expected))
}

/** The keys of tasks, in a fixed order. */
export function keysOf(tasks: readonly NewHandlerTask[]): string[] {
  return tasks.map(({ idempotencyKey }) => idempotencyKey).sort()
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
