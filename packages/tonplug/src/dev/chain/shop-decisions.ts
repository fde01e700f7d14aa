import type { DevChain } from './dev-chain.js'

const KEPT = 2_500

/** The decisions of the shop about payments. */
export interface ShopDecisions {
  /** Takes a decision. @param txHash of any transaction of the payment, in hex */
  add(txHash: string, kind: string): void
  /** Returns the last decision about a payment; null without one. @param txHash of its first transaction, in hex */
  of(txHash: string | null): string | null
  hasAny: () => boolean
}

/** Creates an empty list. */
export function createShopDecisions({
  chain,
  rootOf,
}: Pick<DevChain, 'chain' | 'rootOf'>): ShopDecisions {
  const kinds = new Map<string, string>()
  return {
    add(txHash, kind) {
      const named = chain.transactions.findLast((one) => hashOf(one) === txHash)
      const known = named && hashOf(rootOf(named))
      // A repeated report tells nothing about the payment.
      if (known === undefined || (kind === 'duplicate' && kinds.has(known))) return
      kinds.set(known, kind)
      const [oldest] = kinds.keys()
      if (kinds.size > KEPT && oldest !== undefined) kinds.delete(oldest)
    },
    of: (txHash) => kinds.get(txHash ?? '') ?? null,
    hasAny: () => kinds.size > 0,
  }
}

function hashOf({ transaction }: DevChain['chain']['transactions'][number]): string {
  return transaction.hash().toString('hex')
}
