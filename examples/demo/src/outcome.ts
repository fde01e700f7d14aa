import type { ShopStores } from '@tonplug-examples/express-shop/stores'

/** What a row shows, and what it promises: compared as text. */
export interface Outcome {
  /** The statuses that the gateway got, with how often. */
  answers: string
  /** What the receiver concluded. */
  decisions: string
  /** Where the order stands in the end. */
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

/** Where an order stands, and how many parcels went out for it. */
export async function describeOrder(
  { orders, shipping }: Pick<ShopStores, 'orders' | 'shipping'>,
  reference: string,
): Promise<string> {
  const order = await orders.findByReference(reference)
  const { length } = await shipping.listByReference(reference)
  const status = order?.status ?? 'no order'
  if (length === 0) return status
  return `${status}, ${length} ${length === 1 ? 'parcel' : 'parcels'}`
}
