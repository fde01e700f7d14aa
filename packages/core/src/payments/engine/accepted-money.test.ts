import { describe, expect, it } from 'vitest'
import { ACCEPTED_FIELD, acceptedBy } from './accepted-money.js'

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
