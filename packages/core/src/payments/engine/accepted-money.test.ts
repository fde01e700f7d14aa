import { describe, expect, it } from 'vitest'
import type { AcceptedPayment } from '../orders/decision.js'
import { ACCEPTED_FIELD, acceptedBy, isAcceptedPayment } from './accepted-money.js'

const payment = { txHash: 'a', traceId: 'b', source: 'webhook', rawAmount: '1', asset: 'TON' }
const money = { payments: [payment], amounts: [{ asset: 'TON', rawAmount: '1' }] }
const bodyWith = (accepted: unknown): string => JSON.stringify({ [ACCEPTED_FIELD]: accepted })

describe('the money that a report accepts', () => {
  it('is read from the report of an operator alone', () => {
    const rawBody = bodyWith(money)
    expect(acceptedBy({ source: 'operator', rawBody })).toEqual(money)
    expect(acceptedBy({ source: 'webhook', rawBody })).toBeUndefined()
    expect(acceptedBy({ source: 'operator', rawBody: '{}' })).toBeUndefined()
  })

  it.each([
    ['no sums', 'amounts', { payments: [payment] }],
    [
      'a number as the amount',
      'rawAmount',
      { ...money, amounts: [{ asset: 'TON', rawAmount: 1 }] },
    ],
    ['an unknown source', 'source', { ...money, payments: [{ ...payment, source: 'mail' }] }],
  ])('is not readable with %s', (_, field, accepted) => {
    expect(acceptedBy({ source: 'operator', rawBody: bodyWith(accepted) })).toEqual({
      unreadable: expect.stringContaining(field),
    })
  })
})

describe('a payment that an operator has accepted', () => {
  const traceId = '0b'.repeat(32)
  const hash = (fill: string): string => fill.repeat(32)
  const accepted = (source: 'chain' | 'webhook', txHash: string): AcceptedPayment => ({
    source,
    txHash,
    traceId,
    rawAmount: '1',
    asset: 'TON',
  })
  const reported = (source: 'chain' | 'webhook', txHash: string, trace = traceId) => ({
    source,
    txHash,
    transfer: { traceId: trace },
  })

  it('is the credit of its trace that the chain has shown, and no other one', () => {
    const shown = [accepted('chain', hash('01'))]
    expect(isAcceptedPayment(shown, reported('chain', hash('01')))).toBe(true)
    expect(isAcceptedPayment(shown, reported('chain', hash('02')))).toBe(false)
    expect(isAcceptedPayment(shown, reported('webhook', hash('03')))).toBe(true)
  })

  it('is the trace when only a webhook has reported it', () => {
    const told = [accepted('webhook', hash('01'))]
    expect(isAcceptedPayment(told, reported('chain', hash('02')))).toBe(true)
    expect(isAcceptedPayment(told, reported('webhook', hash('02')))).toBe(false)
    expect(isAcceptedPayment(told, reported('chain', hash('02'), hash('0c')))).toBe(false)
  })

  it('is a shown credit of the trace although a webhook has reported another transaction of it', () => {
    const both = [accepted('webhook', hash('01')), accepted('chain', hash('02'))]
    expect(isAcceptedPayment(both, reported('chain', hash('02')))).toBe(true)
    expect(isAcceptedPayment(both, reported('chain', hash('03')))).toBe(false)
  })

  it('is identified by its transaction where the trace is unknown', () => {
    const unknown = [{ ...accepted('chain', hash('01')), traceId: '' }]
    expect(isAcceptedPayment(unknown, reported('chain', hash('01'), ''))).toBe(true)
    expect(isAcceptedPayment(unknown, reported('chain', hash('02'), ''))).toBe(false)
  })
})
