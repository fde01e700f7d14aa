import type { Order } from '../../orders/order.js'
import { isRefund, type RefundReport } from '../../engine/proposed-refunds.js'
import { findRefundMessage, refundedMoney, refundMessage } from '../../ledger/refund-message.js'
import type { OperatorContext, OperatorReader } from '../context.js'
import { noteOf } from '../stored-note.js'
import { amountOf, creditRow, entriesOf, PAGE, type Entry } from './credit-rows.js'
import type { ExportRow } from './export-row.js'

/** A proposed refund that the wallet has sent. */
export interface SentRefund {
  entry: Entry
  report: RefundReport
  state: 'sent' | 'refunded'
  /** The transaction of the merchant's wallet, lower-case hex. */
  txHash: string | undefined
}

/** Finds refunds of payments, also released ones, by the hash of the message that the wallet has sent. */
export async function findSentRefunds<O extends Order>(
  context: OperatorContext<O>,
  v3: OperatorReader,
  txHashes: readonly string[],
): Promise<Map<string, SentRefund>> {
  const found = new Map<string, SentRefund>()
  for (let start = 0; start < txHashes.length; start += PAGE) {
    for (const entry of await returnedEntries(context, txHashes.slice(start, start + PAGE))) {
      const searched = new Set<string>()
      for (const report of proposalsOf(entry)) {
        const money = refundedMoney(report.decision, entry.credit)
        // The body is the same on every network.
        const { bodyHash } = await refundMessage(money, { isTestOnly: false })
        if (searched.has(bodyHash)) continue
        searched.add(bodyHash)
        const sent = await findRefundMessage(v3, { wallet: money.wallet, bodyHash })
        if (sent === undefined) continue
        const { hash, refund } = sent
        const isRefunded = refund.state === 'refunded'
        const txHash = refund.state === 'waiting' ? undefined : refund.txHash
        found.set(hash, { entry, report, state: isRefunded ? 'refunded' : 'sent', txHash })
      }
    }
  }
  return found
}

/** Returns the credits that proposals of these transactions return. */
async function returnedEntries<O extends Order>(
  context: OperatorContext<O>,
  txHashes: readonly string[],
): Promise<Entry[]> {
  const credits = await context.inbox.credits.find({ hashes: txHashes })
  const named = new Set(txHashes)
  return entriesOf(
    context,
    credits.filter(({ txHash }) => named.has(txHash)),
  )
}

/** Returns the proposals to return a credit, newest first. */
function proposalsOf({ credit, reports }: Entry): RefundReport[] {
  return reports
    .filter(isRefund)
    .filter(({ decision }) => decision.txHash === credit.txHash && decision.asset === credit.asset)
}

/** Returns the row of a refund on the chain. */
export function sentRow<O extends Order>(
  context: OperatorContext<O>,
  { entry, report, state, txHash }: SentRefund,
  row: ExportRow,
  decimals: ReadonlyMap<string, number>,
): ExportRow {
  const { time, amount, raw_amount, sender, recipient, transaction, comment } = row
  return {
    ...proposalRow(context, { entry, report }, decimals),
    time,
    amount,
    raw_amount,
    sender,
    recipient,
    comment,
    status: state,
    transaction: txHash ?? transaction,
  }
}

/** Iterates over what the ledger alone knows about refunds: the last proposal for each payment, by its time. */
export async function* proposalRows<O extends Order>(
  context: OperatorContext<O>,
  { from, before }: { from?: Date | undefined; before?: Date | undefined },
  decimals: ReadonlyMap<string, number>,
): AsyncIterable<ExportRow> {
  for await (const page of refundPages(context, from?.getTime())) {
    const end = before?.getTime() ?? Infinity
    const inPeriod = page.filter(({ receivedAtMs }) => receivedAtMs < end)
    if (inPeriod.length === 0) continue
    const hashes = inPeriod.map(({ decision }) => decision.txHash)
    const entries = await returnedEntries(context, [...new Set(hashes)])
    for (const { id } of inPeriod) {
      for (const entry of entries) {
        const [report] = proposalsOf(entry)
        if (report?.id === id) yield proposalRow(context, { entry, report }, decimals)
      }
    }
  }
}

function proposalRow<O extends Order>(
  context: OperatorContext<O>,
  { entry, report }: Pick<SentRefund, 'entry' | 'report'>,
  decimals: ReadonlyMap<string, number>,
): ExportRow {
  const row = creditRow(context, entry, decimals)
  const { by = '', reason = '' } = noteOf(report.rawBody)
  const { decision, receivedAtMs } = report
  const money = { asset: decision.asset, rawAmount: BigInt(decision.rawAmount) }
  return {
    ...row,
    ...amountOf(money, entry.order, decimals),
    time: new Date(receivedAtMs).toISOString(),
    type: 'refund',
    direction: 'out',
    status: 'opened',
    decision: 'refund',
    sender: row.recipient,
    recipient: row.sender,
    comment: `refund ${decision.txHash}`,
    operator: by,
    reason,
  }
}

/** Iterates over the proposed refunds of this Payments, newest first. */
export async function* refundPages<O extends Order>(
  { name, inbox }: OperatorContext<O>,
  receivedAfterMs = 0,
): AsyncIterable<RefundReport[]> {
  let before: string | undefined
  do {
    const query = { name, decision: 'refund', receivedAfterMs, before, limit: PAGE } as const
    const page = await inbox.reports.list(query)
    yield page.filter(isRefund)
    before = page.length < PAGE ? undefined : page.at(-1)?.id
  } while (before !== undefined)
}
