import type { Report } from '../inbox/inbox-reports.js'
import type { NamedOrder, StoredCredit } from '../inbox/inbox-credits.js'
import type { Credit } from '../ledger/credit.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import { isOpen, orderId, type Order } from '../orders/order.js'
import { isExactComment, isReference } from '../orders/order-key.js'
import { canonicalAddress } from '../../shared/address.js'
import { decodeHex, encodeBase64 } from '../../shared/base64.js'
import type { EngineParts } from './engine-parts.js'

/**
 * Stores the credits of proven payments, as a watcher does: each with the only order that its messages name, of any merchant.
 * @returns the stored credits; none for a proof of the shop that does not return them.
 * @throws {RepositoryError} when a store fails.
 */
export async function storeProven<O extends Order>(
  { stores: { orders, inbox }, policy }: Pick<EngineParts<O>, 'stores' | 'policy'>,
  { report, order }: { report: Report; order: O | null },
  payments: readonly VerifiedPayment[],
): Promise<StoredCredit[]> {
  const credits = payments.flatMap(({ credits: ids, ledgerCredits = [] }) =>
    ledgerCredits.filter(({ id }) => ids.includes(id)),
  )
  if (credits.length === 0) return []
  const candidates = await namedOrders(orders, { merchant: report.merchant, order }, credits)
  const named = credits.map((credit) => {
    const found = orderOf(credit, candidates, policy.wallets)
    return { ...credit, order: found && { ...keyOf(found), name: report.name } }
  })
  await inbox.credits.store(named)
  return inbox.credits.find({ ids: credits.map(({ id }) => id) })
}

/**
 * Returns the orders that the messages of credits may name. A repository without batch methods cannot show that no other
 * merchant has an order of this reference: then a merchant's order is named by its body only.
 */
async function namedOrders<O extends Order>(
  orders: CheckedRepository<O>,
  { merchant, order }: { merchant: string; order: O | null },
  credits: readonly Credit[],
): Promise<readonly Order[]> {
  const messages = credits.flatMap(({ route }) => route)
  const hashes = messages.flatMap(({ bodyHash }) => readBodyHash(bodyHash) ?? [])
  const comments = messages.flatMap(({ comment = '' }) =>
    isReference(comment) && isExactComment(comment) ? comment : [],
  )
  const base64 = [...new Set(hashes)].map((hash) => encodeBase64(decodeHex(hash)))
  const byBody = (await orders.findByBodyHashes(base64)) ?? []
  const byComment = await orders.findByReferences([...new Set(comments)])
  const own = order === null ? [] : [order]
  if (byComment === undefined) return merchant === '' ? [...byBody, ...own] : byBody
  return [...byBody, ...byComment, ...own]
}

/**
 * Returns the only order that a credit names. The message closest to the money decides, in it the body before the comment, and
 * orders that can be completed before others.
 */
function orderOf(
  credit: Credit,
  orders: readonly Order[],
  wallets: readonly string[] = [],
): Order | undefined {
  const paid = orders.filter(({ recipient }) =>
    typeof recipient === 'string'
      ? canonicalAddress(recipient) === credit.wallet
      : wallets.includes(credit.wallet),
  )
  for (const { bodyHash, comment } of credit.route.toReversed()) {
    const hash = readBodyHash(bodyHash)
    const byBody = (order: Order): boolean =>
      hash !== undefined && readBodyHash(order.bodyBase64Hash) === hash
    const byComment = (order: Order): boolean => comment === order.reference
    const [open, over] = [paid.filter(isOpen), paid.filter((order) => !isOpen(order))]
    for (const [group, isNamed] of [
      [open, byBody],
      [open, byComment],
      [over, byBody],
      [over, byComment],
    ] as const) {
      const found = new Map(group.filter(isNamed).map((order) => [orderId(order), order]))
      if (found.size > 0) return found.size === 1 ? [...found.values()][0] : undefined
    }
  }
  return undefined
}

function keyOf({ reference, merchant = '' }: Order): Omit<NamedOrder, 'name'> {
  return { reference, merchant }
}
