import type { ShopStores } from './shop/stores.js'

/** The outcome of a row; the promised and the observed one are compared as strings. */
export interface Outcome {
  /** The statuses that the gateway received, with their number. */
  answers: string
  /** The decisions and rejections. */
  decisions: string
  /** The final status of the order. */
  order: string
  /** The handlers that ran. */
  handlers: string
}

/** Counts equal entries, in the order of their first appearance: `'500 ×2, 200'`. */
export function tally(entries: Iterable<string | number>): string {
  const counts = new Map<string, number>()
  for (const entry of entries) counts.set(`${entry}`, (counts.get(`${entry}`) ?? 0) + 1)
  const parts = [...counts].map(([entry, count]) => (count === 1 ? entry : `${entry} ×${count}`))
  return parts.length === 0 ? 'none' : parts.join(', ')
}

/** Returns the status of an order and the number of its parcels. */
export async function describeOrder(
  { orders, shipping }: Pick<ShopStores, 'orders' | 'shipping'>,
  reference: string,
): Promise<string> {
  const order = await orders.find({ reference })
  const count = await shipping.count(reference)
  const status = order?.status ?? 'no order'
  if (count === 0) return status
  return `${status}, ${count} ${count === 1 ? 'parcel' : 'parcels'}`
}
