import { describe, expect, it } from 'vitest'
import type { Credit, RouteMessage } from '../ledger/credit.js'
import { indexOrders, type WatchedOrder } from './open-orders.js'
import type { Run } from './run-state.js'
import { isNotable, merchantOf } from './unnamed-credits.js'

const HEAD = 1_767_614_400
const [ours, another, stranger] = ['1', '2', '3'].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
]
const jetton = `0:${'9'.repeat(64)}`

function orderOf(changes: Partial<WatchedOrder>): WatchedOrder {
  return {
    reference: 'order-1',
    merchant: '',
    recipients: [ours],
    offers: [{ asset: jetton, rawAmount: 1000n }],
    bodyHash: undefined,
    comment: undefined,
    amounts: [],
    createdMs: undefined,
    isOpen: true,
    ...changes,
  }
}

const run = {
  wallets: new Set([ours, another]),
  orders: indexOrders([orderOf({})]),
  head: HEAD,
} as unknown as Run

interface Received extends Partial<Credit> {
  sender?: string
  opcode?: string
}

function creditOf({ sender = stranger, opcode, ...changes }: Received = {}): Credit {
  const message: RouteMessage = {
    hash: 'm',
    sender,
    recipient: ours,
    value: 1n,
    opcode,
    isCommentEncrypted: false,
    transaction: 't',
    fees: 0n,
    isShared: false,
  }
  return {
    id: 'c',
    account: ours,
    wallet: ours,
    txHash: 't',
    asset: 'TON',
    rawAmount: 100_000_000n,
    traceId: '',
    utime: HEAD - 60,
    route: [message],
    ...changes,
  }
}

const jettonCredit = (rawAmount: bigint): Credit =>
  creditOf({ account: jetton, asset: jetton, rawAmount })

describe('a credit without an order', () => {
  it('is notable from a tenth of a coin, and from an age of a minute on', () => {
    expect(isNotable(creditOf(), run)).toBe(true)
    expect(isNotable(creditOf({ rawAmount: 99_999_999n }), run)).toBe(false)
    expect(isNotable(creditOf({ utime: HEAD - 59 }), run)).toBe(false)
  })

  it('is not notable between wallets of the shop, nor with coins of a call', () => {
    expect(isNotable(creditOf({ sender: another }), run)).toBe(false)
    expect(isNotable(creditOf({ opcode: '0x7362d09c' }), run)).toBe(false)
  })

  it('is notable in a jetton from a hundredth of the smallest open order on', () => {
    expect(isNotable(jettonCredit(10n), run)).toBe(true)
    expect(isNotable(jettonCredit(9n), run)).toBe(false)
    const none = { ...run, orders: indexOrders([]) }
    expect(isNotable(jettonCredit(10n), none)).toBe(false)
  })

  it('is compared with the orders that it names, too', () => {
    const closed = orderOf({ offers: [{ asset: jetton, rawAmount: 500n }] })
    expect(isNotable(jettonCredit(5n), run, [closed])).toBe(true)
    expect(isNotable(jettonCredit(4n), run, [closed])).toBe(false)
  })

  it('is notable in a jetton that none of the named orders asks for', () => {
    const inCoins = orderOf({ offers: [{ asset: 'TON', rawAmount: 1n }] })
    expect(isNotable(jettonCredit(1n), run, [inCoins])).toBe(true)
    expect(isNotable(jettonCredit(1n), run)).toBe(false)
  })
})

describe('the merchant of a credit without an order', () => {
  const orders = indexOrders([
    orderOf({ merchant: 'ann' }),
    orderOf({ merchant: 'ann', reference: 'order-2' }),
    orderOf({ merchant: 'bob', recipients: [another] }),
  ])

  it('is the merchant whose orders are paid to its wallet', () => {
    expect(merchantOf({ credit: creditOf(), orders: [] }, orders)).toBe('ann')
    expect(merchantOf({ credit: creditOf({ wallet: another }), orders: [] }, orders)).toBe('bob')
    expect(merchantOf({ credit: creditOf({ wallet: stranger }), orders: [] }, orders)).toBe('')
  })

  it('is the merchant of the orders that it fits, or unknown for several merchants', () => {
    const fitting = [{ reference: 'order-3', merchant: 'carl' }]
    const credit = creditOf()
    expect(merchantOf({ credit, orders: fitting }, orders)).toBe('carl')
    const several = [...fitting, { reference: 'order-1', merchant: 'ann' }]
    expect(merchantOf({ credit, orders: several }, orders)).toBe('')
  })
})
