import type { Decision, DecisionOf } from '../orders/decision.js'
import { creditForOrder, wasToldByChain, type ToldReport } from './bad-news.js'
import { linkReport } from './link-report.js'
import { creditsOf } from './report.js'
import {
  isJetton,
  isToldForCredit,
  lookUpJetton,
  willBeShown,
  type TellParts,
} from './shown-money.js'

/** Without an order the webhook is reported after this time: small money is not shown by the watcher of another process. */
const UNKNOWN_WAIT_MS = 3_600_000

/** The watcher usually finds the money before this look at a report. */
const FIRST_LOOK_UP = 3

/** A report of an unknown order waits for it, even when its money was reported. */
export async function tellUnknown(
  engine: TellParts,
  decision: DecisionOf<'unknown_order'>,
  { report, transfer, shown: proven }: ToldReport,
): Promise<Decision> {
  const { inbox } = engine.stores
  const { clock, lookUp } = engine.runtime
  const { decision: former, receivedAtMs } = report
  if (former?.kind === 'unknown_order' && former.toldByChain !== true) {
    return { ...decision, credit: former.credit }
  }
  // Money that was not sent never arrives.
  if (transfer.status !== 'success') return decision
  const linked = await linkReport(inbox, { report, transfer, order: null })
  const [credit] = linked.kind === 'linked' ? creditsOf({ payments: linked.claims }) : []
  if (credit !== undefined) return { ...decision, credit }
  if (!wasToldByChain(report) && !willBeShown(engine, { report, transfer })) return decision
  const waiting = { ...decision, toldByChain: true } as const
  if (linked.kind === 'used') return waiting
  if (proven !== undefined) return { ...decision, credit: proven.credit }
  const waitedMs = clock.nowMs() - receivedAtMs
  if (waitedMs >= UNKNOWN_WAIT_MS) {
    if (await isToldForCredit(inbox, { report, transfer })) return waiting
    const shown = linked.kind === 'linked' ? linked.credit : undefined
    return shown === undefined ? decision : { ...decision, credit: creditForOrder(report, shown) }
  }
  // The webhook of a merchant may take no money that names no order.
  if (linked.kind === 'linked' && linked.credit !== undefined) return waiting
  // The watcher ignores small transfers and other jettons that name no order.
  if (isJetton(transfer)) lookUpJetton(engine, { report, transfer })
  else if (report.attempts >= FIRST_LOOK_UP) lookUp(report.txHash)
  return waiting
}
