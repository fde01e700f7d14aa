import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { offerIn } from '../orders/offers.js'
import type { Order } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { isSamePayment } from '../orders/same-payment.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { hashesOf, isOfOnePayment, unlessInvalid } from './compare-reports.js'
import { HELD_KINDS } from './decision-table.js'
import { withoutRefunded } from './proposed-refunds.js'
import { isToldByChain } from './bad-news.js'

interface Part {
  report: Report
  transfer: TransferData
  asset: string
  amount: bigint
}

/**
 * Returns the base units that arrived for an order without completing it, by canonical asset, the first one first. A payment
 * that two sources reported counts once, one whose refund was proposed and not released not at all. Assets that the order
 * does not accept do not count: anyone can send a worthless jetton. Reads reports: a shop without a chain client has no credits.
 */
export async function receivedSoFar(
  { name, inbox }: { name: string; inbox: Pick<CheckedInbox, 'reports' | 'credits'> },
  order: Order,
): Promise<Map<string, bigint>> {
  const { reference, merchant = '' } = order
  const query = {
    name,
    merchant,
    reference,
    decision: [...HELD_KINDS, 'refund' as const],
  }
  const reports = await withoutRefunded(inbox, await allReports(inbox.reports, query))
  const parts = reports
    .toReversed()
    .flatMap((report) => partOf(report) ?? [])
    .filter(({ asset }) => offerIn(order, asset) !== undefined)
  const counted = withoutRepeated(parts)
  const sums = new Map<string, bigint>()
  for (const part of parts.filter((one) => counted.has(one))) {
    sums.set(part.asset, (sums.get(part.asset) ?? 0n) + part.amount)
  }
  return sums
}

/**
 * The chain names each payment by one transaction, and shows which reports of other sources are about it. Anyone can send thousands
 * of payments, so only reports that name the same transaction or trace are compared.
 */
function withoutRepeated(parts: readonly Part[]): ReadonlySet<Part> {
  const shown = new Map<string, Part>()
  for (const part of parts) {
    const { source, txHash } = part.report
    if (source === 'chain' && !shown.has(txHash)) shown.set(txHash, part)
  }
  const counted = new Set(shown.values())
  const others = parts
    .filter(({ report }) => report.source !== 'chain')
    .toSorted((one, other) => Number(isOfOperator(other)) - Number(isOfOperator(one)))
  if (others.length === 0) return counted
  const known = new Map<string, Part[]>()
  const remember = (part: Part): void => {
    for (const hash of hashesOf(part)) {
      const named = known.get(hash)
      if (named === undefined) known.set(hash, [part])
      else named.push(part)
    }
  }
  for (const part of counted) remember(part)
  for (const part of others) {
    const named = hashesOf(part).flatMap((hash) => known.get(hash) ?? [])
    if (!named.some((other) => isSame(other, part))) counted.add(part)
    remember(part)
  }
  return counted
}

function isOfOperator({ report: { source } }: Part): boolean {
  return source === 'operator'
}

/** Returns the sum in one asset, in any format. */
export function inAsset(sums: ReadonlyMap<string, bigint>, asset: string): bigint {
  const canonical = unlessInvalid(() => canonicalAsset(asset))
  return (canonical === undefined ? undefined : sums.get(canonical)) ?? 0n
}

function partOf(report: Report): Part | undefined {
  if (!HELD_KINDS.some((kind) => kind === report.decision?.kind)) return undefined
  const transfer = readStoredTransfer(report.rawBody)
  const asset = unlessInvalid(() => canonicalAsset(transfer.asset))
  const amount = parseBaseUnits(transfer.rawAmount)
  if (asset === undefined || amount === undefined) return undefined
  return { report, transfer, asset, amount }
}

function isSame(one: Part, other: Part): boolean {
  const { txHash, source } = one.report
  const payment = { txHash, source, traceId: one.transfer.traceId }
  const areWaiting = [one, other].every(
    ({ report: { decision } }) => decision !== undefined && isToldByChain(decision),
  )
  if (areWaiting && isOfOnePayment(one, other)) return true
  return isSamePayment(payment, { ...other.report, transfer: other.transfer })
}
