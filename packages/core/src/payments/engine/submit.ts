import { PayloadError } from '../orders/errors.js'
import type { NewReport, Report } from '../inbox/inbox-reports.js'
import type { Decision } from '../orders/decision.js'
import type { Order, OrderKey } from '../orders/order.js'
import { canonicalTransactionHash, readTransactionHash } from '../orders/transaction-hash.js'
import { decideWithParts, lookAtPartsAgain } from './decide-with-parts.js'
import type { EngineParts, Stores } from './engine-parts.js'
import { otherComment, keyOf } from './report.js'
import { isToldByChain, type ShownCredit } from './bad-news.js'
import { readStoredTransfer, readTransfer, type TransferData } from '../orders/payload.js'

/** A stored report with the order as it was before. */
export interface StoredReport<O extends Order> {
  report: Report
  order: O | null
}

/**
 * Stores a report, and reads its order as it was before. The order is read first, because the row must state whether this
 * transfer had completed it; when it cannot be read, the report is stored without its order, and read again later.
 * @throws {RepositoryError} when a store fails.
 */
export async function storeReport<O extends Order>(
  stores: Stores<O>,
  given: Omit<NewReport, 'wasCompletedBefore'>,
): Promise<StoredReport<O>> {
  const { inbox } = stores
  if (given.problem !== undefined) {
    const row = { ...given, wasCompletedBefore: false }
    return { report: await inbox.reports.store(row), order: null }
  }
  const { report, order } = await storeAndFind(stores, given)
  const read = report.txHash === '' ? await reread(stores, report) : report
  return { report: read ?? report, order }
}

async function storeAndFind<O extends Order>(
  { orders, inbox, joined }: Stores<O>,
  given: Omit<NewReport, 'wasCompletedBefore'>,
): Promise<StoredReport<O>> {
  const { reference, merchant, txHash } = given
  let order: O | null
  try {
    if (joined?.storeAndFind !== undefined) return await joined.storeAndFind(given)
    order = await orders.find({ reference, merchant })
  } catch (error) {
    await inbox.reports.store({ ...given, reference: '', txHash: '', wasCompletedBefore: false })
    throw error
  }
  const wasCompletedBefore = isCompletedBy(order, txHash)
  return { report: await inbox.reports.store({ ...given, wasCompletedBefore }), order }
}

/** Decides a report that was just stored. @throws {RepositoryError} when a store fails. */
export async function decideStored<O extends Order>(
  engine: EngineParts<O>,
  { report, order, shown }: StoredReport<O> & { shown?: ShownCredit | undefined },
  transfer: TransferData,
): Promise<Decision> {
  if (report.state === 'decided') await lookAtPartsAgain(engine, { report, order })
  const decision =
    report.state === 'decided'
      ? duplicateOf(report)
      : await decideWithParts(engine, { report, transfer, order, shown })
  engine.runtime.announce(decision, transfer, report)
  return decision
}

/**
 * Decides a report that is parked, whose decision is missing, or that is to be decided again.
 * @param shown the money of the report, if the proof has shown it
 * @throws {RepositoryError} when a store fails.
 */
export async function decideAgain<O extends Order>(
  engine: EngineParts<O>,
  stored: Report,
  shown?: ShownCredit,
): Promise<void> {
  const read = stored.txHash === '' ? await reread(engine.stores, stored) : stored
  if (read === undefined) return
  const transfer = readStoredTransfer(read.rawBody)
  const order = await engine.stores.orders.find(keyOf(read))
  const decision = await decideWithParts(engine, { report: read, transfer, order, shown })
  if (hasChanged(decision, stored)) engine.runtime.announce(decision, transfer, read)
}

/**
 * Reads the body of a report that could not be read before, or whose order could not.
 * @returns the report, as the first process stored it that read it; `undefined` when it still cannot be read.
 */
async function reread<O extends Order>(
  { orders, inbox }: Stores<O>,
  report: Report,
): Promise<Report | undefined> {
  let transfer: TransferData
  try {
    const read = report.problem === undefined ? readStoredTransfer : readTransfer
    transfer = read(report.rawBody)
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error
    await inbox.reports.reread(report.id, { problem: error.message })
    return undefined
  }
  const { reference, senderAddr, rawAmount } = transfer
  const txHash = canonicalTransactionHash(transfer.txHash)
  const key: Required<OrderKey> = { reference, merchant: report.merchant }
  const wasCompletedBefore = isCompletedBy(await orders.find(key), txHash)
  await inbox.reports.reread(report.id, {
    reference,
    txHash,
    traceId: readTransactionHash(transfer.traceId),
    senderAddr,
    rawAmount,
    comment: otherComment(transfer),
    wasCompletedBefore,
  })
  return (await inbox.reports.find(report.id)) ?? undefined
}

/** A completed order without a payment was settled in another way, or by a transfer that only the inbox knows. */
function isCompletedBy(order: Order | null, txHash: string): boolean {
  return order?.status === 'completed' && (order.payment?.txHash ?? txHash) === txHash
}

/** A report that keeps waiting was announced before. */
function hasChanged(decision: Decision, { decision: former }: Report): boolean {
  const { kind } = decision
  const isWaiting = kind === 'unknown_order' || kind === 'verifying' || isToldByChain(decision)
  return kind !== former?.kind || !isWaiting
}

/** Returns the decision about a repetition of a decided report. */
export function duplicateOf({ reference, txHash, decision }: Report): Decision {
  return { kind: 'duplicate', reference, txHash, first: decision?.kind }
}
