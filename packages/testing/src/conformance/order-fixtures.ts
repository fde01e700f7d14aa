import assert from 'node:assert/strict'
import type { Order, OrderRepository, Payment, PaymentFailure } from '@tonplug/core'

/** The wallet that the fixtures are paid to. */
export const RECIPIENT = 'UQApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5VkV'

const PAYMENT_FIELDS = [
  'txHash',
  'traceId',
  'bodyBase64Hash',
  'rawAmount',
  'asset',
  'senderAddr',
  'recipientAddr',
  'date',
  'late',
] as const satisfies readonly (keyof Payment)[]

/** A transaction hash of its own for each number. */
export function makeHash(number: number): string {
  return number.toString(16).padStart(64, '0')
}

/** A pending order of 10.5 TON. */
export function makeOrder(changes: Partial<Order> = {}): Order {
  return {
    reference: 'order-1',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
    createdAt: new Date('2026-01-05T12:00:00.000Z'),
    ...changes,
  }
}

/** A payment of 10.5 TON. */
export function makePayment(changes: Partial<Payment> = {}): Payment {
  return {
    txHash: makeHash(1),
    traceId: makeHash(1001),
    bodyBase64Hash: 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQuRUvYGlw=',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    senderAddr: 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe',
    recipientAddr: RECIPIENT,
    date: '2026-01-05T12:01:02.345Z',
    late: false,
    ...changes,
  }
}

/** A transfer that failed with the gateway's code 36. */
export function makeFailure(changes: Partial<PaymentFailure> = {}): PaymentFailure {
  return {
    txHash: makeHash(2),
    traceId: makeHash(1002),
    errorCode: 36,
    errorMessage: 'Not enough TON',
    date: '2026-01-05T12:01:02.345Z',
    ...changes,
  }
}

/** The order of a reference, which must be there. */
export async function findOrder(repository: OrderRepository, reference: string): Promise<Order> {
  const order = await repository.findByReference(reference)
  assert.ok(order !== null, `there is no order ${JSON.stringify(reference)}`)
  return order
}

/** Checks the status of an order, and its payment field by field. */
export async function assertOrder(
  repository: OrderRepository,
  expected: { reference: string; status: Order['status']; payment?: Payment },
): Promise<void> {
  const { status, payment } = await findOrder(repository, expected.reference)
  assert.equal(status, expected.status)
  if (!expected.payment) {
    assert.ok(!payment, 'an order that is not completed has no payment')
    return
  }
  assert.ok(payment, 'a completed order tells its payment')
  for (const field of PAYMENT_FIELDS) {
    assert.equal(payment[field], expected.payment[field], `payment.${field}`)
  }
}
