import { describe, expect, it } from 'vitest'
import type { Order } from '../../orders/order.js'
import { EMPTY_BODY } from '../../orders/body-hash.js'
import type { TransferData } from '../../orders/payload.js'
import { expectedOf } from './expected-claim.js'

const [payer, ours, jetton] = ['1', '2', '9'].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
]
const [TX, TRACE, BODY, OTHER] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
]
const createdAt = new Date(1_767_614_400_000)

function expected(transfer: Partial<TransferData> = {}, order: Partial<Order> = {}) {
  const claim = {
    transfer: {
      txHash: TX,
      traceId: TRACE,
      bodyBase64Hash: BODY,
      rawAmount: '5',
      senderAddr: payer,
      recipientAddr: ours,
      asset: 'TON',
      reference: 'order-1',
      ...transfer,
    },
    order: { reference: 'order-1', rawAmount: 5n, asset: 'TON', status: 'pending', ...order },
  } as unknown as Parameters<typeof expectedOf>[0]
  return expectedOf(claim, 3n)
}

describe('the payment that the chain must show', () => {
  it('has the facts of the transfer, in canonical format', () => {
    const base64 = Buffer.from(TX, 'hex').toString('base64')
    expect(expected({ txHash: base64 }, { createdAt })).toEqual({
      txHash: TX,
      traceId: TRACE,
      bodyHash: BODY,
      rawAmount: 5n,
      sender: payer,
      recipient: ours,
      asset: 'TON',
      feeAllowance: 3n,
      createdMs: createdAt.getTime(),
      reference: 'order-1',
      comment: undefined,
    })
  })

  it('needs no trace and no sender', () => {
    const found = expected({ traceId: '', senderAddr: '' })
    expect(found).toMatchObject({ txHash: TX, sender: undefined })
    expect(found).not.toHaveProperty('traceId')
  })

  it('has the body of its order, which binds it whatever its age is', () => {
    const bound = { bodyBase64Hash: BODY, createdAt }
    for (const bodyBase64Hash of ['', BODY]) {
      expect(expected({ bodyBase64Hash }, bound)).toMatchObject({
        bodyHash: BODY,
        createdMs: undefined,
        comment: undefined,
      })
    }
    const { detail } = expected({ bodyBase64Hash: OTHER }, bound) as { detail: string }
    expect(detail).toBe(`the order is paid by a message with the body ${BODY}`)
  })

  it('is bound by the body of the order in the native coin only, if there are several offers', () => {
    const offers = ['TON', jetton].map((asset) => ({ asset, rawAmount: 5n }))
    const order = {
      bodyBase64Hash: BODY,
      offers,
      rawAmount: undefined,
      asset: undefined,
      createdAt,
    }
    expect(expected({ bodyBase64Hash: OTHER }, order)).toMatchObject({ reason: 'other_message' })
    expect(expected({ bodyBase64Hash: OTHER, asset: jetton }, order)).toMatchObject({
      bodyHash: OTHER,
      asset: jetton,
      createdMs: createdAt.getTime(),
    })
  })

  it('has the comment that names its order, unless a body binds it', () => {
    const named = { commentToRecipient: 'order-1' }
    expect(expected(named)).toMatchObject({ comment: 'order-1' })
    expect(expected({ commentToRecipient: 'order-2' })).toMatchObject({ comment: undefined })
    expect(expected(named, { bodyBase64Hash: BODY })).toMatchObject({ comment: undefined })
    const empty = { bodyBase64Hash: EMPTY_BODY }
    expect(expected({ ...named, ...empty }, { ...empty, createdAt })).toMatchObject({
      comment: 'order-1',
      createdMs: createdAt.getTime(),
    })
  })

  it.each<[Partial<TransferData>, string]>([
    [{ txHash: 'x' }, 'unreadable'],
    [{ traceId: 'x' }, 'unreadable'],
    [{ bodyBase64Hash: 'x' }, 'unreadable'],
    [{ bodyBase64Hash: '' }, 'unreadable'],
    [{ rawAmount: '1.5' }, 'other_amount'],
    [{ senderAddr: 'x' }, 'other_sender'],
    [{ recipientAddr: 'x' }, 'other_recipient'],
    [{ recipientAddr: '' }, 'other_recipient'],
  ])('is contradicted by %j', (changes, reason) => {
    expect(expected(changes)).toMatchObject({ kind: 'contradicted', reason })
  })
})
