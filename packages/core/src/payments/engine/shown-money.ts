import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Order } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import type { ToldReport } from './bad-news.js'
import { isSameMoney, unlessInvalid, type ReadReport } from './compare-reports.js'
import type { EngineParts } from './engine-parts.js'
import { namedHashes } from './link-report.js'

/** The store, and what this process knows about the chain. */
export type TellParts = Pick<EngineParts<Order>, 'runtime'> & {
  stores: { inbox: CheckedInbox }
  policy: { wallets?: readonly string[] | undefined; proof: object | undefined }
}

/** The watcher reads the wallets of the options at all times, others only while an order is open. */
export function willBeShown(engine: TellParts, { transfer, order }: ToldReport): boolean {
  const { wallets = [] } = engine.policy
  const wallet = unlessInvalid(() => canonicalAddress(transfer.recipientAddr))
  if (wallet === undefined) return false
  if (engine.runtime.isWatched()) return wallets.includes(wallet)
  const isOfOrder =
    typeof order?.recipient === 'string' && canonicalAddress(order.recipient) === wallet
  return isShownByProof(engine, transfer) && (isOfOrder || wallets.includes(wallet))
}

/** The proof finds what no watcher does: it proves the jetton that a webhook names. */
export function isShownByProof({ policy, runtime }: TellParts, transfer: TransferData): boolean {
  return policy.proof !== undefined && (!runtime.isWatched() || isJetton(transfer))
}

/** Returns true for a transfer in a jetton. */
export function isJetton({ asset }: TransferData): boolean {
  const canonical = unlessInvalid(() => canonicalAsset(asset))
  return canonical !== undefined && canonical !== NATIVE_ASSET
}

/** The watcher of another process may store the credit in the meantime. */
export function lookUpJetton(
  { runtime: { lookUp } }: TellParts,
  { report, transfer }: ReadReport,
): void {
  if (report.attempts > 0) lookUp(report.txHash, canonicalAsset(transfer.asset))
}

/** Returns true when the chain has reported the money without an order, whichever merchant the webhook belongs to. */
export async function isToldForCredit(
  inbox: CheckedInbox,
  { report, transfer }: ReadReport,
): Promise<boolean> {
  const credits = await inbox.credits.find({
    hashes: namedHashes({ report, transfer, order: null }),
  })
  const txHashes = [...new Set(credits.map(({ txHash }) => txHash))]
  if (txHashes.length === 0) return false
  const { name } = report
  const query = { name, txHashes, decision: 'unknown_order' } as const
  return (await allReports(inbox.reports, query)).some(
    ({ source, rawBody }) =>
      source === 'chain' && isSameMoney(readStoredTransfer(rawBody), transfer),
  )
}
