import assert from 'node:assert/strict'
import type { Order, OrderKey, OrderRepository, Payment, PaymentFailure } from '@tonplug/core'

/** A wallet that orders of these tests expect. */
export const RECIPIENT = 'UQApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5VkV'
/** Standard base64, with the two characters that differ in base64url. */
export const BODY_HASH = 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQu/UvYGlw='
/** The key of most orders in these tests. */
export const KEY = { reference: 'order-1', merchant: '' }
/** Concurrent calls in the tests of races. */
export const CALLS = 50

const PAYMENT_FIELDS = [
  'txHash',
  'traceId',
  'bodyBase64Hash',
  'rawAmount',
  'asset',
  'senderAddr',
  'recipientAddr',
  'date',
  'isLate',
  'source',
] as const satisfies readonly (keyof Payment)[]

const FAILURE_FIELDS = [
  'txHash',
  'traceId',
  'status',
  'errorCode',
  'errorMessage',
  'date',
] as const satisfies readonly (keyof PaymentFailure)[]

/** Returns a transaction hash for each number. */
export function makeHash(number: number): string {
  return number.toString(16).padStart(64, '0')
}

/** Returns a pending order of 10.5 TON. */
export function makeOrder(changes: Partial<Order> = {}): Order {
  return {
    reference: 'order-1',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
    createdAt: minute(0),
    ...changes,
  }
}

/** Returns a payment of 10.5 TON. */
export function makePayment(changes: Partial<Payment> = {}): Payment {
  return {
    txHash: makeHash(1),
    traceId: makeHash(1001),
    bodyBase64Hash: BODY_HASH,
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    senderAddr: 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe',
    recipientAddr: RECIPIENT,
    date: '2026-01-05T12:01:02.345Z',
    isLate: false,
    source: 'chain',
    ...changes,
  }
}

/** Returns a transfer that failed with the gateway's code 36. */
export function makeFailure(changes: Partial<PaymentFailure> = {}): PaymentFailure {
  return {
    txHash: makeHash(2),
    traceId: makeHash(1002),
    status: 'error',
    errorCode: 36,
    errorMessage: 'Not enough TON',
    date: '2026-01-05T12:01:02.345Z',
    ...changes,
  }
}

/** Returns a moment of the day of the fixtures. */
export function minute(number: number): Date {
  return new Date(Date.UTC(2026, 0, 5, 12, number))
}

/** Returns an order, which must exist. */
export async function findOrder(
  repository: OrderRepository,
  { reference, merchant = '' }: OrderKey = KEY,
): Promise<Order> {
  const key = { reference, merchant }
  const order = await repository.find(key)
  assert.ok(order !== null, `order ${JSON.stringify(key)} does not exist`)
  return order
}

/** Returns the open orders that match. */
export async function listOpen(
  repository: OrderRepository,
  query: Partial<Parameters<OrderRepository['listOpen']>[0]> = {},
): Promise<Order[]> {
  const orders: Order[] = []
  for await (const order of repository.listOpen({ limit: 1000, ...query })) orders.push(order)
  return orders
}

/**
 * Asserts the status, the payment and the failure that `find` returns for an order. An omitted payment must be absent; an
 * omitted failure is not checked.
 */
export async function assertOrder(
  repository: OrderRepository,
  expected: OrderKey & {
    status: Order['status']
    payment?: Payment
    failure?: PaymentFailure | undefined
  },
): Promise<void> {
  const { reference, merchant = '', status, payment, failure } = expected
  const order = await findOrder(repository, { reference, merchant })
  assert.equal(order.status, status)
  assertPayment(order, payment)
  if (failure !== undefined) assertFailure(order, failure)
}

/** Asserts the payment of an order field by field. */
export function assertPayment(order: Order, expected: Payment | undefined): void {
  if (expected === undefined) {
    assert.ok(!order.payment, 'an order that no transfer has completed has no payment')
    return
  }
  assert.ok(order.payment, 'a completed order has its payment')
  for (const field of PAYMENT_FIELDS) {
    assert.equal(order.payment[field], expected[field], `payment.${field}`)
  }
}

/** Asserts the failure of an order field by field. */
export function assertFailure(order: Order, expected: PaymentFailure): void {
  assert.ok(order.failure, 'the order has its failure')
  for (const field of FAILURE_FIELDS) {
    // A database returns null for a column without a value.
    assert.equal(order.failure[field] ?? undefined, expected[field], `failure.${field}`)
  }
}

/** Asserts the fields of an order that the rules read. */
export function assertFields(actual: Order, expected: Order): void {
  assert.deepEqual(fieldsOf(actual), fieldsOf(expected))
}

/** Asserts that `read` returns the new state of an order immediately after each transition. */
export async function assertFresh(
  { repository, insert }: { repository: OrderRepository; insert: (order: Order) => Promise<void> },
  read: () => Promise<Order | null | undefined>,
): Promise<void> {
  assert.equal((await read()) ?? null, null)
  await insert(makeOrder({ bodyBase64Hash: BODY_HASH }))
  assert.equal((await read())?.status, 'pending')
  await repository.fail(KEY, makeFailure())
  const failed = await read()
  assert.ok(failed)
  assert.equal(failed.status, 'failed')
  assertFailure(failed, makeFailure())
  await repository.complete(KEY, makePayment())
  const completed = await read()
  assert.ok(completed)
  assert.equal(completed.status, 'completed')
  assertPayment(completed, makePayment())
}

/** An absent field may be null or undefined. `bodyBase64Hash` has tests of its own. */
function fieldsOf(order: Order): unknown {
  const { reference, merchant, rawAmount, asset, status, recipient, createdAt } = order
  return {
    reference,
    merchant: merchant ?? '',
    rawAmount: rawAmount ?? null,
    asset: asset ?? null,
    status,
    recipient: recipient ?? null,
    createdAt: createdAt ?? null,
  }
}
