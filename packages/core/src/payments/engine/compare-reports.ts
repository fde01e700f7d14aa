import type { Report } from '../inbox/inbox-reports.js'
import { isWithinFees } from '../ledger/link.js'
import type { TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { AddressError } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { claimedTransactions } from './report.js'

/** A stored report with its transfer. */
export interface ReadReport {
  report: Report
  transfer: TransferData
}

/** Returns true for reports that name a transaction of one trace. */
export function isOfOnePayment(one: ReadReport, other: ReadReport): boolean {
  const hashes = hashesOf(other)
  return hashesOf(one).some((hash) => hashes.includes(hash))
}

/** Returns the hashes by which a report may name its payment. Empty ones identify nothing. */
export function hashesOf({
  report: { txHash, payments },
  transfer: { traceId },
}: ReadReport): string[] {
  const named = [txHash, canonicalTransactionHash(traceId), ...claimedTransactions(payments)]
  return named.filter((hash) => hash !== '')
}

/**
 * Returns true when a reported transfer may be one that arrived: a webhook may report the amount before the fees of
 * contracts on the way.
 */
export function isSameMoney(arrived: TransferData, reported: TransferData): boolean {
  const asset = assetOf(arrived)
  if (asset === undefined || !isSameAsset(arrived, reported)) return false
  const received = parseBaseUnits(arrived.rawAmount)
  const expected = parseBaseUnits(reported.rawAmount)
  if (received === undefined || expected === undefined) return false
  return received === expected || isWithinFees(asset, { expected, received })
}

/** Returns false for invalid assets, too. */
export function isSameAsset(one: { asset?: string | undefined }, other: TransferData): boolean {
  const asset = assetOf(one)
  return asset !== undefined && asset === assetOf(other)
}

function assetOf({ asset = '' }: { asset?: string | undefined }): string | undefined {
  return unlessInvalid(() => canonicalAsset(asset))
}

/** Returns `undefined` for an invalid address or asset: a webhook may contain anything. */
export function unlessInvalid(read: () => string): string | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    return undefined
  }
}
