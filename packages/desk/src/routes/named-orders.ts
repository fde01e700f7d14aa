import type { Order, OrderRepository } from '@tonplug/core'
import type { ListedTransfer } from '@tonplug/core/operator'

/** The limit of the contract of repositories. */
const MAX_REFERENCES = 1000

/** Finds the orders that payers have named in their comments. */
export type NamedOrderReader = Pick<OrderRepository, 'findByReferences'>

/** Returns the comment of a payment that has no order. */
export function namedReference({
  reference,
  decision,
  transfer,
}: ListedTransfer): string | undefined {
  const comment = transfer?.commentToRecipient ?? ''
  return reference === '' && decision?.kind === 'unknown_order' && comment !== ''
    ? comment
    : undefined
}

/**
 * Returns the orders that comments of payments without an order name, by report: they were paid to another wallet, or before
 * the order. None for a repository that cannot find several orders at once.
 */
export async function namedOrders(
  orders: NamedOrderReader,
  listed: readonly ListedTransfer[],
): Promise<Map<string, Order>> {
  const wanted = listed.flatMap((one) => {
    const reference = namedReference(one)
    return reference === undefined
      ? []
      : [{ reportId: one.reportId, key: keyOf({ ...one, reference }), reference }]
  })
  const references = [...new Set(wanted.map(({ reference }) => reference))].slice(0, MAX_REFERENCES)
  if (references.length === 0) return new Map()
  const found = (await orders.findByReferences?.(references)) ?? []
  const byKey = new Map(found.map((order) => [keyOf(order), order]))
  return new Map(
    wanted.flatMap(({ reportId, key }) => {
      const order = byKey.get(key)
      return order === undefined ? [] : [[reportId, order] as const]
    }),
  )
}

function keyOf({ merchant = '', reference }: { merchant?: string | undefined; reference: string }) {
  return JSON.stringify([merchant, reference])
}
