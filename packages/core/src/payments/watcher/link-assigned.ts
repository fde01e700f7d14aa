import { REPORTS_OF_TRANSACTION } from '../engine/paid-elsewhere.js'
import { isUseOf } from '../engine/report.js'
import type { Inbox, Report } from '../inbox/inbox.js'
import { CREDIT_CLAIM, type NewCredit } from '../inbox/inbox-credits.js'
import { readStoredTransfer } from '../orders/payload.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'

/**
 * Links credits that name no order to the orders that an operator has assigned their money to, by the report of a webhook that
 * came before them. Each assignment uses one credit, of any name of Payments.
 * @param credits stored credits of one trace
 * @returns the ids of the credits that these orders use
 */
export async function linkAssigned(
  inbox: Pick<Inbox, 'reports' | 'credits'>,
  credits: readonly NewCredit[],
): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  if (credits.length === 0) return used
  const txHashes = [...new Set(credits.flatMap(hashesOf))].toSorted()
  const query = { txHashes, decision: 'paid', limit: REPORTS_OF_TRANSACTION } as const
  for (const report of await inbox.reports.list(query)) {
    if (report.source !== 'operator') continue
    const { name, merchant, reference, txHash: payment } = report
    const key = { name, merchant, reference }
    const linked = (await inbox.credits.listOf(key)).filter(({ uses }) =>
      uses.some((use) => isUseOf(key, use) && use.payment === payment),
    )
    for (const { id } of linked) used.add(id)
    if (linked.length > 0) continue
    for (const { id } of credits.filter((credit) => isReported(credit, report))) {
      const claim = { ...key, payments: [`${CREDIT_CLAIM}${id}`], payment }
      if (used.has(id) || !(await inbox.credits.claim(claim))) continue
      used.add(id)
      break
    }
  }
  return used
}

function hashesOf({ txHash, traceId, route, root }: NewCredit): string[] {
  const hashes = [txHash, traceId, ...route.map(({ transaction }) => transaction)]
  return [...hashes, root?.transaction ?? ''].filter((hash) => hash !== '')
}

function isReported({ asset, rawAmount, wallet }: NewCredit, report: Report): boolean {
  const transfer = readStoredTransfer(report.rawBody)
  return (
    transfer.rawAmount === `${rawAmount}` &&
    canonicalAsset(transfer.asset) === asset &&
    canonicalAddress(transfer.recipientAddr) === wallet
  )
}
