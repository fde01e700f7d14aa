import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { CREDIT_CLAIM } from '../inbox/inbox-credits.js'
import type { DecisionRecord, Report } from '../inbox/inbox-reports.js'
import type { JoinedTransition } from '../inbox/inbox.js'
import { ownTransactions, payerMessage } from '../ledger/credit.js'
import { readBodyHash } from '../orders/body-hash.js'
import { RepositoryError } from '../orders/errors.js'
import { isOpen, orderId, type Order, type OrderKey, type Payment } from '../orders/order.js'
import { readStoredTransfer } from '../orders/payload.js'
import type { Transition } from '../orders/repository.js'
import type { EngineParts, Stores } from './engine-parts.js'
import { checkLateRefunds } from './late-refunds.js'
import { linkReport, namedHashes, type LinkableReport } from './link-report.js'
import { findObstacle, isEarlier, namesOrder } from './paid-elsewhere.js'
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
export type CompletionResult = (JoinedTransition | { transition: Transition | 'reused' }) & {
  /** The stored credit of a report that names none. An order of another merchant may be completed with it too. */
  linked?: string | undefined
}

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
    return mayBePaidElsewhere(engine, completion)
      ? moveBetweenLooks(engine, completion, { claims, credits })
      : moveWithCredits(engine, completion, claims)
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
    const all = [...claims, ...linked.claims]
    made = { ...(await moveWithCredits(engine, completion, all)), linked: linked.credit }
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
  return move(engine.stores, completion, { claims: claims.filter(isCreditClaim) })
}

function isCreditClaim(claim: string): boolean {
  return creditsOf({ payments: [claim] }).length > 0
}

/**
 * Returns true when the claimed credits name the order of the report: a webhook about other money of the trace may name their
 * transaction. Or when they share the transaction with other money, which has paid the order that has claimed it.
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
  if (own.length < ids.size) return false
  if (own.every(({ order }) => order && orderId(order) === orderId(report))) return true
  const isShared = own.every(
    (credit) => !ownTransactions(credit, payerMessage(credit)).includes(txHash),
  )
  if (!isShared) return false
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
  const reports = await allReports(inbox.reports, { name, txHashes: [txHash] })
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
 * Returns true when another order may be completed with the money without a claim on it: by another Payments; or, where the
 * money does not name the order, by a webhook of any merchant. An operator may have assigned it, or the watcher by its amount.
 */
function mayBePaidElsewhere<O extends Order>(
  { runtime: { hasOtherNames } }: CompletionParts<O>,
  { report, transfer, order }: Completion,
): boolean {
  if (order === null || !isOpen(order)) return false
  return hasOtherNames() || !isNamed({ report, transfer, order })
}

function isNamed({ report, transfer, order }: LinkableReport): boolean {
  return report.source !== 'operator' && order !== null && namesOrder(transfer, order)
}

/**
 * Completes an order unless another one was completed with the money: see {@link findObstacle}. The claim between the looks has no
 * link: another process may complete the order with these credits at the same moment, and then they keep its link.
 * @throws {RepositoryError} while another report about the money is undecided. What the order has claimed stays claimed.
 */
async function moveBetweenLooks<O extends Order>(
  engine: CompletionParts<O>,
  completion: Completion,
  { claims, credits }: { claims: readonly string[]; credits: readonly string[] },
): Promise<CompletionResult> {
  const { inbox, joined } = engine.stores
  const { report, key, payment } = completion
  const own = { name: report.name, ...key }
  const look = () => isPaidElsewhere(engine, completion, credits)
  let isUsed = await look()
  if (!isUsed) {
    const payments = credits.map((id) => `${CREDIT_CLAIM}${id}`)
    const claim = { ...own, payments, usedAmount: usedAmountOf(payment) }
    if (!(await inbox.credits.claim(claim))) return { transition: 'reused' }
    isUsed = await look()
  }
  let made: CompletionResult = { transition: 'reused' }
  if (!isUsed) made = await moveWithCredits(engine, completion, claims)
  // A webhook that lost may have claimed the transaction for its order. What an operator assigns is this credit.
  if (!isUsed && made.transition === 'reused' && report.source === 'operator') {
    made = await move(engine.stores, completion, { claims: claims.filter(isCreditClaim) })
  }
  const isCompleted = made.transition === 'applied' || made.transition === 'already-applied'
  // In another store, the order may be completed with the claim of another process.
  if (isUsed || (joined !== undefined && !isCompleted)) {
    const claimed = { ...own, payment: undefined, payments: [] }
    for (const credit of credits) await inbox.credits.release({ ...claimed, credit })
  }
  return made
}

/** @throws {RepositoryError} while another report about the money is undecided; of another Payments, an earlier one. */
async function isPaidElsewhere<O extends Order>(
  { stores: { inbox, orders } }: CompletionParts<O>,
  completion: Completion,
  credits: readonly string[],
): Promise<boolean> {
  const { report, key } = completion
  const { name } = report
  const isAnyOther = !isNamed(completion)
  const concerns = (one: Report): boolean => {
    const isOther = one.name !== name || (isAnyOther && orderId(one) !== orderId(report))
    if (!isOther || one.decision?.kind === 'paid') return isOther
    return one.state === 'undecided' && (one.name === name || isEarlier(one, report))
  }
  const claimant = { name, inbox, orders, order: { name, ...key } }
  const obstacle = await findObstacle(claimant, credits, concerns)
  if (obstacle?.kind === 'undecided') {
    const problem = `the Payments ${JSON.stringify(obstacle.report.name)} has an undecided report about the same payment, which is decided first`
    throw new RepositoryError({ operation: 'inbox.reports.list', problem })
  }
  return obstacle?.kind === 'used'
}
