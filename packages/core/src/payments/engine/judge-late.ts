import { isAfterLock, offerIn } from '../orders/offers.js'
import type { LateRule } from '../orders/amounts.js'
import { isOpen, type Order } from '../orders/order.js'
import { paidAt } from '../orders/rules.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { TransferData } from '../orders/payload.js'
import type { Clock } from '../../shared/clock.js'
import { withDeadline } from '../../shared/timers.js'
import { parseBaseUnits } from '../../shared/units.js'

/** The webhook's sender waits ten seconds. */
const RULE_MS = 5000

/**
 * Asks the shop's rule about a payment that came after the end of its offer.
 * @returns the verdict; `undefined` for any other payment, and for a shop without the rule.
 */
export async function judgeLate<O extends Order>(
  { acceptLate, clock }: { acceptLate: LateRule<O> | undefined; clock: Clock },
  { report, transfer, order }: { report: Report; transfer: TransferData; order: O | null },
): Promise<'accepted' | 'rejected' | 'failed' | undefined> {
  if (acceptLate === undefined || order === null || !isOpen(order)) return undefined
  const offer = offerIn(order, transfer.asset)
  const received = parseBaseUnits(transfer.rawAmount)
  const atMs = paidAt({ transfer, receivedAtMs: report.receivedAtMs })
  if (transfer.status !== 'success' || received === undefined || received === 0n) return undefined
  if (offer === undefined || !isAfterLock(offer, atMs)) return undefined
  const facts = { order, offer, received, at: new Date(atMs) }
  try {
    const verdict = await withDeadline<unknown>(
      { clock, deadlineMs: RULE_MS },
      async (signal) => acceptLate({ ...facts, signal }),
      () => undefined,
    )
    if (typeof verdict !== 'boolean') return 'failed'
    return verdict ? 'accepted' : 'rejected'
  } catch {
    return 'failed'
  }
}
