import { play } from '@tonplug/test-support/interleavings/play'
import type { Item } from '@tonplug/test-support/interleavings/items'
import type { Step, StepOf } from '@tonplug/test-support/interleavings/steps'
import type { AmountsPolicy } from '@tonplug/core'

export const [TON, USDT] = [1_000_000_000n, 4_000_000n]
export const KEY = { reference: 'order-1', merchant: '' }
export const buyer = 'buyer of order-1'
const BATCH = { isRelayed: false, lagsMs: [0] }
/** Money without a comment. */
export const coins: Item = { buyer, comment: '', asset: 'TON', amount: TON }
export const jettons: Item = { buyer, comment: '', asset: 'usdt', amount: USDT }

export function order(afterMs: number, changes: Partial<StepOf<'order'>> = {}): Step {
  const price = { asset: 'TON', amount: TON } as const
  const message = { buyer, comment: '', isBound: false }
  return { kind: 'order', afterMs, ...KEY, ...price, ...message, ...changes }
}

export function pay(afterMs: number, items: Item[], changes: Partial<StepOf<'pay'>> = {}): Step {
  return { kind: 'pay', afterMs, payment: 'p1', items, ...BATCH, ...changes }
}

export function webhook(
  afterMs: number,
  names: StepOf<'webhook'>['names'],
  changes: Partial<StepOf<'webhook'>> = {},
): Step {
  const of = { payment: 'p1', item: 0, hasTrace: true, process: 0 }
  return { kind: 'webhook', afterMs, ...KEY, ...of, names, ...changes }
}

export function assign(afterMs: number, changes: Partial<StepOf<'assign'>> = {}): Step {
  const of = { payment: 'p1', item: 0, process: 0 }
  return { kind: 'assign', afterMs, ...KEY, ...of, ...changes }
}

/** Plays steps with the timing of a seed. @returns the broken promises */
export async function problemsOf(seed: number, steps: Step[], amounts?: AmountsPolicy) {
  return (await play(seed, { plan: { amounts, steps } })).problems
}
