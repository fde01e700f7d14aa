import type { AmountsPolicy } from '@tonplug/core'
import { createRandom, type Random } from '../../../packages/testing/src/shop/random.js'
import { bodyOfItem, type Asset, type Item } from './items.js'

export interface OrderKey {
  reference: string
  merchant: string
}

/** One credit of a payment. */
export interface CreditName {
  payment: string
  item: number
}

export type Step = {
  /** Time since the step before: with 0 both happen at once. */
  afterMs: number
} & (
  | (OrderKey & {
      kind: 'order'
      asset: Asset
      amount: bigint
      /** The account and the comment of the message that the buyer is asked to send. */
      buyer: string
      comment: string
      /** The order has the hash of that message's body. */
      isBound: boolean
    })
  | {
      kind: 'pay'
      payment: string
      items: readonly Item[]
      /** A relay lets the wallets of several buyers pay in its trace. Otherwise the first buyer sends all. */
      isRelayed: boolean
      /** The delays after which the index shows the transactions of the trace; the last one is that of all further ones. */
      lagsMs: readonly number[]
    }
  | (OrderKey &
      CreditName & {
        kind: 'webhook'
        /** The transaction that it names: the first one of the trace, the one before the credit, its own, or any by its number. */
        names: 'root' | 'way' | 'own' | number
        hasTrace: boolean
        process: number
      })
  | (OrderKey & CreditName & { kind: 'assign'; process: number })
  | (CreditName & { kind: 'refund'; merchant: string; isSigned: boolean })
  | (OrderKey & { kind: 'accept' | 'cancel' | 'expire' | 'reprocess' })
)

export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>

export interface Plan {
  amounts: AmountsPolicy | undefined
  steps: readonly Step[]
}

const MOST_CREDITS = 6
const MOST_TRANSACTIONS = 8
const COIN = 1_000_000_000n
const GAPS_MS = [0, 0, 0, 2, 5, 15, 300, 2500, 7000, 25_000, 70_000] as const
const LAGS_MS = [0, 0, 0, 3000, 15_000, 90_000] as const

/** Plans the steps of a seed: orders, payments of up to six credits, and what follows them, in random order. */
export function planSteps(seed: number): Plan {
  const random = createRandom(seed, 'interleavings')
  const policies = [undefined, undefined, { partial: 'add-up' }, { overpaid: 'accept' }] as const
  const amounts = random.pick(policies)
  const merchants = random.chance(0.5) ? ([''] as const) : (['', 'm-1', 'm-2'] as const)
  const orders = Array.from({ length: random.between(1, 3) }, (_, place) =>
    planOrder(random, `order-${place + 1}`, random.pick(merchants)),
  )
  const threads: Step[][] = orders.map((order) => [order, ...planEnd(random, order)])
  for (let left = random.between(1, MOST_CREDITS), number = 1; left > 0; number++) {
    const count = Math.min(left, random.pick([1, 1, 1, 2, 2, 3]))
    left -= count
    threads.push(
      planPayment(random, `p${number}`, { count, orders, isSummed: amounts !== undefined }),
    )
  }
  return { amounts, steps: merge(random, threads) }
}

function planOrder(random: Random, reference: string, merchant: string): StepOf<'order'> {
  const asset = random.pick(['TON', 'TON', 'usdt'])
  const amount = BigInt(random.between(1, 2)) * (asset === 'TON' ? COIN : 2_000_000n)
  const comment = random.chance(0.7) ? reference : ''
  // A transfer of coins without a comment has the same body for all orders.
  const isBound = random.chance(0.5) && (comment !== '' || asset !== 'TON')
  const buyer = `buyer of ${reference}`
  const afterMs = random.pick(GAPS_MS)
  return { kind: 'order', afterMs, reference, merchant, asset, amount, buyer, comment, isBound }
}

function planEnd(random: Random, { reference, merchant }: OrderKey): Step[] {
  const kinds = ['cancel', 'expire', 'accept', 'reprocess'] as const
  return kinds
    .filter(() => random.chance(0.12))
    .map((kind) => ({ kind, afterMs: random.pick(GAPS_MS), reference, merchant }))
}

interface PaymentPlan {
  count: number
  orders: readonly StepOf<'order'>[]
  isSummed: boolean
}

function planPayment(random: Random, payment: string, plan: PaymentPlan): Step[] {
  const { count, orders } = plan
  const isBatch = random.chance(0.5)
  const first = pickFrom(random, orders)
  const targets = Array.from({ length: count }, () => (isBatch ? pickFrom(random, orders) : first))
  const isRelayed = isBatch && random.chance(0.5)
  const one = planItem(random, { ...plan, order: first })
  const items = targets.map((order) => (isBatch ? planItem(random, { ...plan, order }) : one))
  const payer = items[0]?.buyer ?? first.buyer
  const lagsMs = [0, random.pick(LAGS_MS), random.pick(LAGS_MS)]
  const gap = () => random.pick(GAPS_MS)
  const rest: Step[] = []
  for (const [item, planned] of items.entries()) {
    const name = { payment, item }
    const sent = isRelayed ? planned : { ...planned, buyer: payer }
    const { reference, merchant } = targets[item] ?? first
    for (
      let left = isReported(sent, targets[item], orders) ? random.pick([0, 1, 1, 2]) : 0;
      left > 0;
      left--
    ) {
      const hasTrace = random.chance(0.7)
      // Not planned: a transaction that did not lead to the credit, without the trace. Only a look-up could find the credit.
      const others = hasTrace ? [random.between(0, MOST_TRANSACTIONS)] : []
      const names = random.pick<StepOf<'webhook'>['names']>(['root', 'way', 'own', ...others])
      const how = { names, hasTrace, process: random.between(0, 1) }
      rest.push({ kind: 'webhook', afterMs: gap(), ...name, reference, merchant, ...how })
    }
    if (random.chance(0.2)) {
      const to = pickFrom(random, orders)
      const key = { reference: to.reference, merchant: to.merchant, process: random.between(0, 1) }
      rest.push({ kind: 'assign', afterMs: gap(), ...name, ...key })
    }
    if (random.chance(0.25)) {
      const isSigned = random.chance(0.5)
      rest.push({ kind: 'refund', afterMs: gap(), ...name, merchant, isSigned })
    }
  }
  const pay: Step = { kind: 'pay', afterMs: gap(), payment, items, isRelayed, lagsMs }
  return [
    pay,
    ...merge(
      random,
      rest.map((step) => [step]),
    ),
  ]
}

function planItem(
  random: Random,
  { order, orders, isSummed }: PaymentPlan & { order: StepOf<'order'> },
): Item {
  const { reference, buyer } = order
  const other = pickFrom(random, orders).reference
  const { comment: asked, amount: price } = order
  const comment = random.pick([asked, asked, asked, asked, reference, '', 'nobody', other])
  const half = random.pick([price / 2n, (price * 2n) / 3n])
  const amounts = [price, price, price, isSummed ? half : price, half, price + price / 2n] as const
  const asset = random.chance(0.9) ? order.asset : random.pick(['TON', 'usdt', 'other'])
  // Less than a cent is ignored.
  const amount = random.pick(amounts) * (asset === order.asset || asset === 'usdt' ? 1n : 1000n)
  return { buyer, comment, asset, amount }
}

/**
 * The gateway reports payments that name their order, or none. The webhook of a merchant alone takes no credit that its order does
 * not name by the body of a message: it may be money of another merchant of the wallet.
 */
function isReported(
  item: Item,
  order: StepOf<'order'> | undefined,
  orders: readonly StepOf<'order'>[],
): boolean {
  if (order === undefined) return false
  const bound = orders.filter(
    (one) => one.isBound && bodyOfItem(one).hash === bodyOfItem(item).hash,
  )
  const isNamed = item.comment === order.reference
  if (order.merchant !== '') return isNamed && item.asset === order.asset && bound.includes(order)
  const isOfOther = bound.length > 0 && !bound.includes(order)
  return !isOfOther && (isNamed || item.comment === '')
}

/** Mixes lists of steps; the steps of one list keep their order. */
function merge(random: Random, threads: readonly (readonly Step[])[]): Step[] {
  const left = threads.map((steps) => [...steps])
  const steps: Step[] = []
  for (;;) {
    const open = left.filter((one) => one.length > 0)
    const next = open[random.between(0, open.length - 1)]?.shift()
    if (next === undefined) return steps
    steps.push(next)
  }
}

function pickFrom<T>(random: Random, values: readonly T[]): T {
  const [first, ...others] = values
  if (first === undefined) throw new RangeError('there is a value')
  return random.pick([first, ...others])
}
