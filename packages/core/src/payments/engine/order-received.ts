import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { CreditUse, NamedOrder, StoredCredit } from '../inbox/inbox-credits.js'
import { orderId, type Order, type ReceivedAmount } from '../orders/order.js'
import { isUseOf } from './report.js'

/**
 * Returns what the chain has shown for an order; see `Order.received`.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function receivedFor(
  inbox: Pick<CheckedInbox, 'credits'>,
  { name, merchant, reference }: NamedOrder,
  order: Pick<Order, 'status' | 'payment'>,
): Promise<ReceivedAmount[] | undefined> {
  const key = { name, merchant, reference }
  return receivedOf(key, order, await inbox.credits.listOf(key))
}

/**
 * Sums what an order uses of its credits, and what nothing uses of those that name it.
 * @returns `undefined` without a credit, and for a paid order that uses none: its payment is not linked yet.
 */
function receivedOf(
  key: NamedOrder,
  { status, payment }: Pick<Order, 'status' | 'payment'>,
  credits: readonly StoredCredit[],
): ReceivedAmount[] | undefined {
  const isUsed = credits.some(({ uses }) => uses.some((use) => isUseOf(key, use)))
  const isUnlinked = status === 'completed' && payment && !isUsed
  if (credits.length === 0 || isUnlinked) return undefined
  const sums = new Map<string, bigint>()
  for (const credit of credits) {
    const { asset } = credit
    sums.set(asset, (sums.get(asset) ?? 0n) + amountFor(key, credit))
  }
  return [...sums].map(([asset, rawAmount]) => ({ asset, rawAmount }))
}

function amountFor(key: NamedOrder, { rawAmount, uses, order }: StoredCredit): bigint {
  const own = sumOf(uses.filter((use) => isUseOf(key, use)))
  const isNamed = order !== undefined && orderId(order) === orderId(key) && order.name === key.name
  return isNamed ? own + rawAmount - sumOf(uses) : own
}

function sumOf(uses: readonly CreditUse[]): bigint {
  return uses.reduce((sum, use) => sum + use.rawAmount, 0n)
}
