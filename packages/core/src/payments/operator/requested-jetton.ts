import { JETTON_FEES } from '../orders/payer-message.js'
import { attempt, checkedRepository } from '../orders/checked-repository.js'
import { offerIn } from '../orders/offers.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { AddressError } from '../../shared/address.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { formatUnits, NATIVE_DECIMALS } from '../../shared/units.js'

/** Open orders that are read at most. */
const MAX_ORDERS = 20_000

/**
 * Returns whether an order of the merchant asks for an asset: one with a reference of the list, or an open one. Anyone can
 * send a jetton of their own to the merchant.
 */
export async function isRequested(
  orders: OrderRepository,
  { asset, merchant, references }: { asset: string; merchant: string; references: string[] },
): Promise<boolean> {
  const asksFor = (order: Order | null): boolean => order !== null && isOf(order, asset)
  const { find } = checkedRepository(orders)
  for (const reference of new Set(references)) {
    if (asksFor(await find({ reference, merchant }))) return true
  }
  return attempt('orders.listOpen', async () => {
    let count = 0
    for await (const order of orders.listOpen({ limit: MAX_ORDERS })) {
      if ((order.merchant ?? '') === merchant && asksFor(order)) return true
      if (++count >= MAX_ORDERS) break
    }
    return false
  })
}

/** An asset of an order may be invalid. */
function isOf(order: Order, asset: string): boolean {
  return undefinedOn(AddressError, () => offerIn(order, asset)) !== undefined
}

/** Returns the warning before the refund of a jetton that no order asks for. */
export function unrequestedWarning(asset: string): string {
  const fees = formatUnits(JETTON_FEES, NATIVE_DECIMALS)
  return `no order asks for the jetton ${asset}. Anyone can deploy a jetton, and its contracts can keep the ${fees} TON that the refund attaches for fees. Refund it only if you know this jetton`
}
