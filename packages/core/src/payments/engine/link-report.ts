import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { CREDIT_CLAIM, type StoredCredit } from '../inbox/inbox-credits.js'
import { link, type ReportedPayment } from '../ledger/link.js'
import { readBodyHash } from '../orders/body-hash.js'
import { orderId, type Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { AddressError, canonicalAddress } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { isUseOf } from './report.js'

/** A report that names no credit, and its order. */
export interface LinkableReport {
  report: Report
  transfer: TransferData
  order: Order | null
  /** An operator has accepted the money of the report for its order. */
  isAccepted?: boolean
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
  const credits = await inbox.credits.find({ hashes: namedHashes(facts) })
  if (credits.length === 0) return { kind: 'unknown' }
  const reported = undefinedOn(AddressError, () => readReported(facts))
  if (reported === undefined) return { kind: 'linked', claims: [] }
  const { report } = facts
  const used = credits.filter(({ uses }) => uses.length > 0 && !isUsedBy(report, uses))
  // Another report of the order has used it, whichever order of another Payments it names.
  const orders = credits.flatMap(({ id, uses, order }) => {
    const user = isUsedBy(report, uses) ? report : order
    return user === undefined ? [] : [[id, orderId(user)] as const]
  })
  const named = new Map(orders)
  const known = { isWhole: true, used: new Set(used.map(({ id }) => id)), named }
  const result = link(reported, credits, known)
  if (result.kind === 'contradicted' && result.reason === 'used') return { kind: 'used' }
  const linked = result.kind === 'linked' ? result.credits.map(({ credit }) => credit.id) : []
  const isClaimable = isTrusted(facts) || linked.every((id) => named.get(id) === reported.order)
  const claims = isClaimable ? linked.map((id) => `${CREDIT_CLAIM}${id}`) : []
  return { kind: 'linked', claims, credit: linked[0] }
}

/** A merchant's webhook alone must not take money from another merchant of the same wallet. */
function isTrusted({ report, order, isAccepted = false }: LinkableReport): boolean {
  const { merchant, source } = report
  return isAccepted || merchant === '' || source === 'gateway' || Boolean(order?.bodyBase64Hash)
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
    bodyHash: readBodyHash(bodyBase64Hash),
    sender: senderAddr === '' ? undefined : canonicalAddress(senderAddr),
    txHash: report.txHash,
  }
}
