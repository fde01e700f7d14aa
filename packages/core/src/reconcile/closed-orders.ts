import { attempt } from '../orders/checked-repository.js'
import type { Order, Payment } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { toBase64Hash } from '../schema/hash.js'
import { watchOrder, type WatchedOrder, type Watching } from './open-orders.js'

/** What a payer's message says of the order that it pays. */
export interface Said {
  /** Lower-case hex. */
  bodyHash: string | undefined
  comment: string | undefined
}

/** Orders that no longer wait for a payment, as far as they can be found by what a message says. */
export interface ClosedOrders {
  find: (said: Said) => Promise<WatchedOrder | undefined>
  /** Whether a message speaks of such an order, and is not the payment that completed it. */
  isNews: (said: Said, payment: { txHash: string; traceId: string | undefined }) => Promise<boolean>
}

interface Found {
  watched: WatchedOrder | undefined
  order: Order
}

/**
 * Asks the repository, once for each that is said: by body hash where it can tell, and by reference where comments are
 * references.
 */
export function createClosedOrders<O extends Order>(
  repository: OrderRepository<O>,
  watching: Watching<O> & { isCommentReference: boolean },
): ClosedOrders {
  const { matchBy, isCommentReference } = watching
  const asked = new Map<string, Promise<Found | undefined>>()

  const ask = (
    operation: string,
    key: string,
    read: () => Promise<O | null>,
  ): Promise<Found | undefined> => {
    const name = `${operation} ${key}`
    const known = asked.get(name)
    if (known !== undefined) return known
    const found = attempt(operation, read).then((order) => toFound(order))
    asked.set(name, found)
    return found
  }
  /** One that cannot be judged must not stand in the way of all others. */
  const toFound = (order: O | null): Found | undefined => {
    if (order === null) return undefined
    try {
      return { order, watched: watchOrder(order, watching) }
    } catch {
      return undefined
    }
  }
  const byBody = async (bodyHash: string): Promise<Found | undefined> => {
    const hash = toBase64Hash(bodyHash)
    const isAskable = repository.findByBodyHash !== undefined && matchBy.includes('body')
    if (hash === undefined || !isAskable) return undefined
    const read = async (): Promise<O | null> => (await repository.findByBodyHash?.(hash)) ?? null
    return ask('orders.findByBodyHash', hash, read)
  }
  const byComment = async (comment: string): Promise<Found | undefined> => {
    // No reference is longer; whoever pays writes what they like.
    const isAskable = isCommentReference && matchBy.includes('comment') && comment.length <= 1024
    if (!isAskable || comment === '' || comment.includes('\u0000')) return undefined
    return ask('orders.findByReference', comment, () => repository.findByReference(comment))
  }
  const findBoth = async ({ bodyHash, comment }: Said): Promise<Found | undefined> =>
    (bodyHash === undefined ? undefined : await byBody(bodyHash)) ??
    (comment === undefined ? undefined : await byComment(comment))

  return {
    find: async (said) => (await findBoth(said))?.watched,
    async isNews(said, { txHash, traceId }) {
      const found = await findBoth(said)
      if (found === undefined) return false
      const { status, payment } = found.order
      // Which payment completed it, nobody can say then.
      if (status === 'completed' && !payment) return false
      return !payment || !isTold(payment, { txHash, traceId })
    },
  }
}

function isTold(
  { txHash: known, traceId: knownTrace }: Payment,
  { txHash, traceId }: { txHash: string; traceId: string | undefined },
): boolean {
  const names = [known, canonicalTransactionHash(knownTrace)]
  return [txHash, traceId].some(
    (name) => name !== undefined && names.includes(canonicalTransactionHash(name)),
  )
}
