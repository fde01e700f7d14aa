import type { V3Client } from '@tonplug/core/toncenter'
import type { ShopStores } from './shop/stores.js'

/**
 * Describes whether API v3 has the payment of an order: a transaction with the body hash of the gateway's transfer and, in
 * the same trace, one with the hash that paid the order.
 */
export async function describeOnChain(
  { stores, v3 }: { stores: Pick<ShopStores, 'orders'>; v3: V3Client },
  reference: string,
): Promise<string> {
  const order = await stores.orders.find({ reference })
  const asked = { body_hash: order?.bodyBase64Hash ?? '', direction: 'in' } as const
  const [received] = (await v3.transactionsByMessage(asked)).transactions
  if (received === undefined) return 'not on chain'
  const { txHash = '' } = order?.payment ?? {}
  const [paidBy] = txHash === '' ? [] : (await v3.transactions({ hash: txHash })).transactions
  return paidBy?.trace_id === received.trace_id ? 'on chain' : 'other hash on chain'
}
