import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const reference = 'order-1'
const rawAmount = '2000000000'
const second = { reference, rawAmount, shop: 'second', isBound: false } as const
const ordered = { reference, rawAmount, merchant: 'm-1', isBound: false } as const

/** A webhook completes the order of the second shop, whose decision is not recorded; then the watcher of the first one looks. */
const undecided: readonly ShopEvent[] = [
  { kind: 'order', atMs: 1000, ...ordered },
  { kind: 'order', atMs: 2000, ...second },
  { kind: 'pay', atMs: 22_000, payment: 'p1', reference, rawAmount, times: 1, lagMs: 0 },
  { kind: 'fault', atMs: 23_000, process: 1, port: 'inbox.reports.decide', moment: 'before' },
  { kind: 'webhook', atMs: 24_000, payment: 'p1', process: 1, names: 'last', shop: 'second' },
]

describe('two shops with one wallet, and orders of one reference', () => {
  it('S119 pays one order, while the decision about the other one is missing', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { problems } = await simulateShop({ seed, events: undecided })
      expect(problems).toEqual([])
    }
  })

  it('S119 refunds no payment whose decision in the other shop is missing', async () => {
    const refund = { kind: 'refund', payment: 'p1', names: 'last', merchant: 'm-1' } as const
    const events: ShopEvent[] = undecided.map((event) =>
      event === undecided[0] ? { ...event, rawAmount: '3000000000' } : event,
    )
    // Between the looks of the two watchers.
    for (let atMs = 40_300; atMs <= 41_000; atMs += 100) events.push({ ...refund, atMs })
    for (let seed = 8; seed <= 12; seed++) {
      const { problems } = await simulateShop({ seed, events })
      expect(problems).toEqual([])
    }
  })
})
