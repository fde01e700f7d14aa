import type { V3Client } from '@tonplug/core'
import type { ShopStores } from '@tonplug-examples/express-shop/stores'

/**
 * Whether API v3 tells the payment of an order: a transaction that received the body which the gateway gave out, and in
 * the same trace one with the very hash that paid the order.
 */
export async function describeOnChain(
  { stores, v3 }: { stores: Pick<ShopStores, 'orders'>; v3: V3Client },
  reference: string,
): Promise<string> {
  const order = await stores.orders.findByReference(reference)
  const asked = { body_hash: order?.bodyBase64Hash ?? '', direction: 'in' } as const
  const [received] = (await v3.transactionsByMessage(asked)).transactions
  if (received === undefined) return 'not on chain'
  const { txHash = '' } = order?.payment ?? {}
  const [paidBy] = txHash === '' ? [] : (await v3.transactions({ hash: txHash })).transactions
  return paidBy?.trace_id === received.trace_id ? 'on chain' : 'other hash on chain'
}
