import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { DecisionRecord } from '../inbox/inbox-reports.js'
import type { JoinedTransition } from '../inbox/inbox.js'
import { ownTransactions, payerMessage } from '../ledger/credit.js'
import { readBodyHash } from '../orders/body-hash.js'
import { RepositoryError } from '../orders/errors.js'
import { orderId, type Order, type OrderKey, type Payment } from '../orders/order.js'
import { readStoredTransfer } from '../orders/payload.js'
import type { Transition } from '../orders/repository.js'
import type { EngineParts, Stores } from './engine-parts.js'
import { checkLateRefunds } from './late-refunds.js'
import { linkReport, namedHashes, type LinkableReport } from './link-report.js'
import {
  isPaidByOtherMerchant,
  isPaidElsewhere,
  namesOrder,
  REPORTS_OF_TRANSACTION,
  waitForElsewhere,
} from './paid-elsewhere.js'
import { creditsOf, transactionClaim, usedAmountOf } from './report.js'

/** Times that another order may take the credit that a report was linked to. */
const MAX_LINKS = 5

/** A completion needs no policy. */
type CompletionParts<O extends Order> = Pick<EngineParts<O>, 'stores' | 'runtime'>

/** The completion of an order by a reported payment. */
export interface Completion extends LinkableReport {
  key: Required<OrderKey>
  payment: Payment
  /** Claims before the claims of the report. Of credits, the first ones are used first. */
  payments: readonly string[]
  record: DecisionRecord
}

/** A transition, which a joined one has recorded. */
export type CompletionResult = JoinedTransition | { transition: Transition | 'reused' }

/**
 * Claims a payment for its order, and completes the order. A report that names no credit is linked to a stored one of its
 * transaction or trace, if there is one: only then does it take further statements.
 * @throws {RepositoryError} when a store fails; what API v3 throws when it cannot show whether a released refund was sent.
 */
export async function completeOrder<O extends Order>(
  engine: CompletionParts<O>,
  completion: Completion,
): Promise<CompletionResult> {
  const { stores, runtime } = engine
  const { report, payments } = completion
  const { claimLateRefunds } = runtime
  const lateRefunds = { inbox: stores.inbox, claimLateRefunds }
  const claims = [...new Set([transactionClaim(report.txHash), ...payments, ...report.payments])]
  const credits = creditsOf({ payments: claims })
  if (credits.length > 0) {
    if (completion.order?.status !== 'completed') await checkLateRefunds(lateRefunds, credits)
    const isUsed =
      (await isUsedByOtherName(engine, completion, claims)) ||
      (await isUsedByOtherMerchant(stores.inbox, completion, claims))
    return isUsed ? { transition: 'reused' } : moveWithCredits(engine, completion, claims)
  }
  const unlessStored = namedHashes(completion)
  let made = await move(engine.stores, completion, { claims, unlessStored })
  for (let count = 0; count < MAX_LINKS && made.transition === 'reused'; count++) {
    const linked = await linkReport(stores.inbox, completion)
    if (linked.kind === 'used') return made
    if (linked.kind === 'unknown') {
      if (!(await isOtherMessage(stores.inbox, completion))) return made
      const shared = transactionClaim(report.txHash)
      const own = claims.filter((one) => one !== shared)
      made = await move(engine.stores, completion, { claims: own, unlessStored })
      continue
    }
    await checkLateRefunds(lateRefunds, creditsOf({ payments: linked.claims }))
    made = await moveWithCredits(engine, completion, [...claims, ...linked.claims])
    if (linked.claims.length === 0) return made
  }
  return made
}

/** Payments of a batch share a transaction. The first order claims its hash, and the others only their credits. */
async function moveWithCredits<O extends Order>(
  engine: CompletionParts<O>,
  completion: Completion,
  claims: readonly string[],
): Promise<CompletionResult> {
  const made = await move(engine.stores, completion, { claims })
  if (made.transition !== 'reused') return made
  if (!(await isSharedByBatch(engine.stores.inbox, completion, claims))) return made
  const shared = transactionClaim(completion.report.txHash)
  return move(engine.stores, completion, { claims: claims.filter((one) => one !== shared) })
}

/**
 * Returns true when the claimed credits share the reported transaction with other money, and are not the money of the order
 * that has claimed it: another credit has paid that order, or the credits name the order of the report.
 */
async function isSharedByBatch(
  inbox: CheckedInbox,
  { report, payments }: Completion,
  claims: readonly string[],
): Promise<boolean> {
  const { name, merchant, reference, txHash } = report
  const ids = new Set(creditsOf({ payments: claims }))
  if (ids.size === 0 || payments.includes(transactionClaim(txHash))) return false
  const own = await inbox.credits.find({ ids: [...ids] })
  const isShared = own.every(
    (credit) => !ownTransactions(credit, payerMessage(credit)).includes(txHash),
  )
  if (own.length < ids.size || !isShared) return false
  if (own.every(({ order }) => order && orderId(order) === orderId(report))) return true
  const stored = await inbox.credits.find({ hashes: [txHash] })
  const uses = stored.flatMap((credit) => (ids.has(credit.id) ? [] : credit.uses))
  return uses.some(
    (use) =>
      use.kind === 'order' &&
      use.payment === txHash &&
      use.name === name &&
      use.merchant === merchant &&
      use.reference !== reference,
  )
}

/**
 * Returns true when the body of the message names the order, and webhooks have used its transaction for messages with other
 * bodies only: a relay has paid several orders by one transaction.
 * @throws {RepositoryError} while the report that has used it may be undecided, and when the inbox fails.
 */
async function isOtherMessage(
  inbox: CheckedInbox,
  { report, transfer, order }: Completion,
): Promise<boolean> {
  const { name, merchant, reference, txHash } = report
  const body = readBodyHash(transfer.bodyBase64Hash)
  if (body === undefined || body !== readBodyHash(order?.bodyBase64Hash)) return false
  const reports = await inbox.reports.list({
    name,
    txHashes: [txHash],
    limit: REPORTS_OF_TRANSACTION,
  })
  const others = reports
    .filter((one) => one.merchant === merchant && one.reference !== reference)
    .filter(({ decision }) => decision?.kind !== 'unknown_order')
  const isPaid = others.some(({ decision }) => decision?.kind === 'paid')
  if (!isPaid && others.some(({ state }) => state === 'undecided')) {
    const problem = 'another report about the same transaction is undecided, which is decided first'
    throw new RepositoryError({ operation: 'inbox.reports.list', problem })
  }
  return (
    isPaid &&
    others.every(({ source, rawBody }) => {
      const other = readBodyHash(readStoredTransfer(rawBody).bodyBase64Hash) ?? body
      return (source === 'webhook' || source === 'gateway') && other !== body
    })
  )
}

interface Claims {
  claims: readonly string[]
  unlessStored?: readonly string[]
}

async function move<O extends Order>(
  { orders, inbox, joined }: Stores<O>,
  { report, order, key, payment, record }: Completion,
  { claims: payments, unlessStored }: Claims,
): Promise<CompletionResult> {
  const claimed = { payments, unlessStored, usedAmount: usedAmountOf(payment) }
  if (joined !== undefined) {
    return joined.completeAndDecide(report.id, { key, payment, record, ...claimed })
  }
  // A claim is permanent: none is made for an order that cannot be completed.
  if (order?.status === 'cancelled') return { transition: 'conflict' }
  const claim = { name: report.name, ...key, payment: payment.txHash, ...claimed }
  const isFree = await inbox.credits.claim(claim)
  return { transition: isFree ? await orders.complete(key, payment) : 'reused' }
}

/**
 * Returns true when a report of another Payments, which names no credit, has used the money. An order that is completed is
 * not asked again.
 * @throws {RepositoryError} while such a report is undecided.
 */
async function isUsedByOtherName<O extends Order>(
  { stores: { inbox }, runtime: { hasOtherNames } }: CompletionParts<O>,
  { report, transfer, order }: Completion,
  claims: readonly string[],
): Promise<boolean> {
  if (order?.status === 'completed' || !hasOtherNames()) return false
  const isNamed = order !== null && namesOrder(transfer, order)
  const reference = isNamed && report.source !== 'operator' ? report.reference : undefined
  const money = { name: report.name, claims, reference }
  await waitForElsewhere(inbox, money, report)
  return isPaidElsewhere(inbox, money)
}

/**
 * Returns true when the webhook of another merchant has used money that names no order. An operator may have assigned it, or the
 * watcher by its amount.
 */
async function isUsedByOtherMerchant(
  inbox: CheckedInbox,
  { report, transfer, order }: Completion,
  claims: readonly string[],
): Promise<boolean> {
  const { source } = report
  if (order === null || order.status === 'completed') return false
  if (source !== 'operator' && namesOrder(transfer, order)) return false
  return isPaidByOtherMerchant(inbox, report, claims)
}
