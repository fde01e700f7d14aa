import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { CREDIT_CLAIM, type NamedOrder, type StoredCredit } from '../inbox/inbox-credits.js'
import { link, type ReportedPayment } from '../ledger/link.js'
import { orderId, type Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { AddressError, canonicalAddress } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { isTrusted, isUseOf } from './report.js'

/** A report that names no credit, and its order. */
export interface LinkableReport {
  report: Report
  transfer: TransferData
  order: Order | null
  /** An operator has accepted the money of the report for its order. */
  isAccepted?: boolean
  /** The money is reported, and not claimed. `extra`: the order is completed, and what it has used is not meant. */
  news?: 'extra' | 'other'
}

/**
 * Result of linking a report to the stored credits of its transaction or trace.
 * - `unknown`: none is stored.
 * - `linked`: claims on the credits that are the reported payment; none where the stored ones are other money. `credit` is the
 *   first one, which the webhook of a merchant may name without a claim.
 * - `used`: it could be only money that is used, or that names another order.
 */
export type LinkedReport =
  | { kind: 'unknown' }
  | { kind: 'linked'; claims: string[]; credit?: string | undefined }
  | { kind: 'used' }

/** Returns the hashes by which a report may name its payment. */
export function namedHashes({ report, transfer }: LinkableReport): string[] {
  const hashes = [report.txHash, canonicalTransactionHash(transfer.traceId)]
  return [...new Set(hashes)].filter((hash) => hash !== '')
}

/**
 * Finds the credits that a report describes. Whatever the report says, an amount counts as it arrived.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function linkReport(
  inbox: Pick<CheckedInbox, 'credits'>,
  facts: LinkableReport,
): Promise<LinkedReport> {
  const { report, news } = facts
  const found = await inbox.credits.find({ hashes: namedHashes(facts) })
  if (found.length === 0) return { kind: 'unknown' }
  // Of equal ones, first the credit that its order has used, and last those with other uses.
  const placeOf = ({ uses }: StoredCredit): number => (isUsedBy(report, uses) ? -1 : uses.length)
  const credits = found.toSorted((one, other) => placeOf(one) - placeOf(other))
  const reported = undefinedOn(AddressError, () => readReported(facts))
  if (reported === undefined) return { kind: 'linked', claims: [] }
  const used = credits.filter(
    ({ uses }) => uses.length > 0 && (news === 'extra' || !isUsedBy(report, uses)),
  )
  // A refund may be released, and then the credit that the report names is reported.
  const isTaken = ({ uses }: StoredCredit): boolean =>
    news === undefined || uses.some(({ kind }) => kind === 'order')
  // Another report of the order has used it, whichever order of another Payments it names.
  const orders = credits.flatMap(({ id, uses, order }) => {
    const user = isUsedBy(report, uses) ? report : order
    return user === undefined ? [] : [[id, orderId(user)] as const]
  })
  const named = new Map(orders)
  const known = { isWhole: true, used: idsOf(used.filter(isTaken)), named }
  const result = link(reported, credits, known)
  if (result.kind === 'contradicted' && result.reason === 'used') return { kind: 'used' }
  const linked = result.kind === 'linked' ? result.credits.map(({ credit }) => credit.id) : []
  if (linked.some((id) => idsOf(used).has(id))) return { kind: 'used' }
  const isClaimable = mayClaim(facts) || linked.every((id) => named.get(id) === reported.order)
  const claims = isClaimable ? linked.map((id) => `${CREDIT_CLAIM}${id}`) : []
  return { kind: 'linked', claims, credit: linked[0] }
}

/** A report may name the money of its order: see {@link isTrusted}. */
function mayClaim({ report, order, isAccepted = false }: LinkableReport): boolean {
  return isAccepted || isTrusted(report) || Boolean(order?.bodyBase64Hash)
}

function idsOf(credits: readonly StoredCredit[]): Set<string> {
  return new Set(credits.map(({ id }) => id))
}

function isUsedBy(report: Report, uses: StoredCredit['uses']): boolean {
  return uses.some((use) => isUseOf(report, use))
}

/**
 * Returns a report as the payment that it describes; `undefined` without an amount.
 * @throws {AddressError} when an address is not readable.
 */
export function readReported({ report, transfer }: LinkableReport): ReportedPayment | undefined {
  const { rawAmount, recipientAddr, asset, senderAddr, bodyBase64Hash } = transfer
  const amount = parseBaseUnits(rawAmount)
  if (amount === undefined) return undefined
  return {
    order: orderId(report),
    recipient: canonicalAddress(recipientAddr),
    asset: canonicalAsset(asset),
    rawAmount: amount,
    bodyHash: bodyBase64Hash === '' ? undefined : canonicalTransactionHash(bodyBase64Hash),
    sender: senderAddr === '' ? undefined : canonicalAddress(senderAddr),
    txHash: report.txHash,
  }
}

/** Returns the credits that are linked to the payment of an order, which may be equal ones of another trace. */
export async function creditsOfPayment(
  { credits }: Pick<CheckedInbox, 'credits'>,
  { name, merchant, reference }: NamedOrder,
  payment: string | undefined,
): Promise<StoredCredit[]> {
  const key = { name, merchant, reference }
  const ofOrder = await credits.listOf(key)
  return ofOrder.filter(({ uses }) =>
    uses.some((use) => isUseOf(key, use) && use.payment === payment),
  )
}
