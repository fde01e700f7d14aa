import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { CREDIT_CLAIM, type Report } from '../inbox/inbox.js'
import { isWithinFees } from '../ledger/link.js'
import { decide, type DecideContext } from '../orders/decide.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { canonicalAsset } from '../shared/asset.js'
import { reused } from './paid-elsewhere.js'

/** The store, and the policy of the shop. */
interface LinkOptions<O extends Order> extends Pick<DecideContext<O>, 'acceptAmount' | 'rules'> {
  inbox: CheckedInbox
  wallets?: readonly string[] | undefined
}

interface Linkable<O extends Order> {
  report: Report
  transfer: TransferData
  order: O | null
}

/**
 * Links a credit to the payment that completed its order by another hash, which a webhook has named. A payment has one
 * credit: the first one that fits is its repetition, and claims the credit for the order. Any other credit of the trace is an
 * extra payment. A credit with another use is `unverified`: the order was completed without money of its own. Other decisions
 * are returned unchanged.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function linkCredit<O extends Order>(
  options: LinkOptions<O>,
  decision: Decision,
  facts: Linkable<O>,
): Promise<Decision> {
  const { report, transfer, order } = facts
  if (decision.kind !== 'duplicate' || report.source !== 'chain' || order === null) return decision
  const { completedBy } = decision
  if (completedBy === undefined || completedBy === report.txHash) return decision
  const { name, merchant, reference, txHash, payments } = report
  const [credit = txHash] = payments.filter((claim) => claim.startsWith(CREDIT_CLAIM))
  const link = JSON.stringify(['payment', reference, completedBy])
  const wanted = { name, merchant, reference: credit, payments: [link] }
  if (mayBePayment(options, { ...facts, order }) && (await options.inbox.claimPayments(wanted))) {
    const isFree = await options.inbox.claimPayments({ name, merchant, reference, payments })
    return isFree ? decision : reused(report)
  }
  const { rawAmount: received, asset } = transfer
  return { kind: 'extra_payment', reference, txHash, received, asset, completedBy }
}

/** Returns true for a credit that would pay the order if it were open. Contracts on the way may take the fees of the chain. */
function mayBePayment<O extends Order>(
  { wallets, acceptAmount, rules }: LinkOptions<O>,
  { report, transfer, order }: Linkable<O> & { order: O },
): boolean {
  const open: O = { ...order, status: 'pending', payment: undefined }
  const { txHash, source } = report
  const facts = { order: open, transfer, txHash, source, wasCompletedBefore: false }
  const verdict = decide<O>({ ...facts, wallets, acceptAmount, rules })
  if (verdict.kind !== 'amount_mismatch') return verdict.kind === 'paid'
  const amounts = { expected: BigInt(verdict.expected), received: BigInt(verdict.received) }
  return verdict.asset === undefined && isWithinFees(canonicalAsset(transfer.asset), amounts)
}
