import type { Transition } from '@tonplug/core'
import type { Model } from './linearizable.js'

/** A call that concerns two orders and two credits, which have the numbers 0 and 1. */
export type Input =
  | readonly [method: 'complete' | 'fail', order: number, txHash: string]
  | readonly [method: 'claim' | 'assign', order: number, credit: number]
  | readonly [method: 'accept', order: number]
  | readonly [method: 'refund' | 'release', credit: number, attempt: number]
  | readonly [method: 'show', credit: number]

export type Output = Transition | 'reused' | 'free' | 'done'

/** The hash of the payment that has both credits. */
export const BOTH = 'tx-both'

export function hashOf(credit: number): string {
  return `tx-${credit}`
}

type OrderState = readonly [status: 'pending' | 'failed' | 'completed', txHash: string]

interface State {
  orders: readonly OrderState[]
  /** The order or the refund that uses each credit, or nothing. */
  owners: readonly string[]
  /** The refunds that were released. */
  released: readonly string[]
}

const done = (state: State) => ({ state, output: 'done' as const })

/** Model of two orders and two credits, whose calls are not concurrent. */
export const twoOrders: Model<State, Input, Output> = {
  initial: {
    orders: [
      ['pending', ''],
      ['pending', ''],
    ],
    owners: ['', ''],
    released: [],
  },
  apply(state, input) {
    switch (input[0]) {
      case 'complete':
        return complete(state, input[1], input[2])
      case 'fail':
        return fail(state, input[1], input[2])
      case 'claim':
        return claim(state, orderOwner(input[1]), [input[2]])
      case 'assign':
        return completeWith(state, {
          order: input[1],
          txHash: hashOf(input[2]),
          credits: [input[2]],
        })
      case 'accept':
        return completeWith(state, { order: input[1], txHash: BOTH, credits: [0, 1] })
      case 'refund':
        return claim(state, refundOwner(input[1], input[2]), [input[1]])
      case 'release':
        return done(release(state, input[1], refundOwner(input[1], input[2])))
      case 'show':
        return done(state)
    }
  },
}

function orderOwner(order: number): string {
  return `order ${order}`
}

function refundOwner(credit: number, attempt: number): string {
  return `refund ${credit} ${attempt}`
}

function complete(
  state: State,
  order: number,
  txHash: string,
): { state: State; output: Transition } {
  const [status, standing] = state.orders[order] ?? []
  if (status === 'completed') {
    return { state, output: standing === txHash ? 'already-applied' : 'conflict' }
  }
  return { state: withOrder(state, order, ['completed', txHash]), output: 'applied' }
}

function fail(state: State, order: number, txHash: string): { state: State; output: Transition } {
  const [status, standing] = state.orders[order] ?? []
  if (status === 'completed') return { state, output: 'conflict' }
  if (status === 'failed' && standing === txHash) return { state, output: 'already-applied' }
  return { state: withOrder(state, order, ['failed', txHash]), output: 'applied' }
}

/** An order is completed with credits that nothing else uses; one that cannot be completed claims none. */
function completeWith(
  state: State,
  { order, txHash, credits }: { order: number; txHash: string; credits: readonly number[] },
): { state: State; output: Output } {
  const claimed = claim(state, orderOwner(order), credits)
  if (claimed.output === 'reused') return claimed
  const completed = complete(claimed.state, order, txHash)
  return completed.output === 'conflict' ? { ...completed, state } : completed
}

function claim(
  state: State,
  owner: string,
  credits: readonly number[],
): { state: State; output: 'free' | 'reused' } {
  const isFree = credits.every((credit) => ['', owner].includes(state.owners[credit] ?? ''))
  if (!isFree || state.released.includes(owner)) return { state, output: 'reused' }
  const owners = state.owners.map((former, credit) => (credits.includes(credit) ? owner : former))
  return { state: { ...state, owners }, output: 'free' }
}

function release(state: State, credit: number, owner: string): State {
  if (state.owners[credit] !== owner) return state
  return {
    ...state,
    owners: state.owners.with(credit, ''),
    released: [...state.released, owner].toSorted(),
  }
}

function withOrder(state: State, order: number, changed: OrderState): State {
  return { ...state, orders: state.orders.with(order, changed) }
}
