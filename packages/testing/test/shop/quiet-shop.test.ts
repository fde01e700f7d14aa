import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it } from 'vitest'

const [reference, rawAmount] = ['order-1', '2000000000']
const PAID_MS = 2 * 3_600_000
const EVENTS: ShopEvent[] = [
  { kind: 'order', atMs: 1000, reference, rawAmount, isBound: true },
  { kind: 'pay', atMs: PAID_MS, payment: 'p1', reference, rawAmount, times: 1, lagMs: 200_000 },
]

/** Returns the trace, and the minutes in which something was done. */
async function play(events: readonly ShopEvent[]) {
  const { problems, trace } = await simulateShop({ seed: 1, events: [...events, ...EVENTS] })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.onPaid'))).toHaveLength(1)
  return {
    trace,
    minutes: new Set(trace.map((line) => Math.floor(Number.parseInt(line) / 60_000))),
  }
}

it('S124 finds a payment after processes were suspended for hours', async () => {
  const awake = await play([])
  const { trace, minutes } = await play([{ kind: 'suspend', atMs: 0 }])
  expect([3, 60, 117].filter((minute) => minutes.has(minute))).toEqual([])
  // They are awake when the payment is sent, and when the index shows it.
  expect([0, 119, 120, 123].filter((minute) => !minutes.has(minute))).toEqual([])
  expect(trace.length).toBeLessThan(awake.trace.length / 4)
})

it('S124 asks the index rarely where intervals are long', async () => {
  const requests = ({ trace }: { trace: readonly string[] }): number =>
    trace.filter((line) => line.includes('index/transactions')).length
  const intervals = { minIntervalMs: 120_000, maxIntervalMs: 300_000, idlePollMs: 300_000 }
  const rare = await play([{ kind: 'intervals', atMs: 0, ...intervals }])
  expect(requests(rare)).toBeLessThan(requests(await play([])) / 2)
})
