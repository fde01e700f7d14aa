import { describe, expect, it } from 'vitest'
import type { ReportSource } from './order.js'
import { isSamePayment } from './same-payment.js'

const [FIRST, SECOND, TRACE] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
]

/** Compares a payment of a webhook with a transfer. */
function compare(
  source: ReportSource,
  { txHash, traceId, paidTrace = TRACE }: { txHash: string; traceId: string; paidTrace?: string },
): boolean {
  const payment = { txHash: FIRST, traceId: paidTrace, source: 'webhook' } as const
  return isSamePayment(payment, { source, txHash, transfer: { traceId } })
}

describe('the payment of an order and another transfer', () => {
  it.each<[string, ReportSource, Parameters<typeof compare>[1]]>([
    ['has its hash', 'webhook', { txHash: FIRST, traceId: '' }],
    ['is of its trace, and was found on the chain', 'chain', { txHash: SECOND, traceId: TRACE }],
    [
      'was found on the chain, and writes the trace otherwise',
      'chain',
      {
        txHash: SECOND,
        traceId: Buffer.from(TRACE, 'hex').toString('base64'),
      },
    ],
    ['is of its trace, and was assigned', 'operator', { txHash: SECOND, traceId: TRACE }],
    ['has the name of its trace', 'chain', { txHash: TRACE, traceId: '' }],
  ])('are one payment when it %s', (_, source, transfer) => {
    expect(compare(source, transfer)).toBe(true)
  })

  it.each<[string, ReportSource, Parameters<typeof compare>[1]]>([
    [
      'has another hash of the trace, from a webhook',
      'webhook',
      { txHash: SECOND, traceId: TRACE },
    ],
    [
      'has another hash of the trace, from the gateway',
      'gateway',
      { txHash: SECOND, traceId: TRACE },
    ],
    ['is of another trace', 'chain', { txHash: SECOND, traceId: SECOND }],
    ['has no trace, as the payment', 'chain', { txHash: SECOND, traceId: '', paidTrace: '' }],
    ['has no trace, and was assigned', 'operator', { txHash: SECOND, traceId: '', paidTrace: '' }],
  ])('are two payments when it %s', (_, source, transfer) => {
    expect(compare(source, transfer)).toBe(false)
  })
})
