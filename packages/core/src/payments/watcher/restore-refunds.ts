import { checkedInbox, type CheckedInbox } from '../inbox/checked-inbox.js'
import { allReports } from '../inbox/all-reports.js'
import { CREDIT_CLAIM, type StoredCredit } from '../inbox/inbox-credits.js'
import { refundOwner, refundRow } from '../engine/proposed-refunds.js'
import { creditsOf } from '../engine/report.js'
import type { Credit } from '../ledger/credit.js'
import { findRefund, refundedMoney, refundMessage } from '../ledger/refund-message.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalAddress } from '../../shared/address.js'
import { inChunks } from '../../shared/in-chunks.js'
import type { NotedRefund } from './memory.js'
import type { Run } from './run-state.js'
import type { SentRefund } from './wallet-lists.js'

/** Payments that are looked up together. */
const GROUP = 100

/** A credit, and how it is reported. */
interface ReportedCredit {
  credit: Credit
  merchant: string
  transfer: TransferData
}

/** Remembers what wallets have sent back. */
export function noteRefunds({ memory }: Run, refunds: readonly SentRefund[]): void {
  for (const refund of refunds) {
    const noted = memory.sentRefunds.get(refund.txHash)
    if (noted?.state !== 'known') setState(memory, refund, 'new')
  }
}

/**
 * Restores refunds that the inbox does not have, because it was lost or is older than they are: the transfers of a wallet name
 * the payments that they return. Each payment is claimed, so that it counts for no order. One that an order has stays with it.
 * @throws what API v3 and the inbox throw.
 */
export async function restoreRefunds(run: Run): Promise<void> {
  const { memory } = run
  const unread = [...memory.sentRefunds.values()].filter(({ state }) => state === 'new')
  for (const refunds of inChunks(unread, GROUP)) {
    const stored = await inboxOf(run).credits.find({ hashes: refunds.map(({ txHash }) => txHash) })
    for (const refund of refunds) {
      // One that fails is the last one in the next run.
      setState(memory, refund, 'new')
      const isKnown = await restoreReported(run, refund, stored)
      setState(memory, refund, isKnown ? 'known' : 'looked-up')
    }
  }
}

function setState(
  { sentRefunds }: Run['memory'],
  refund: SentRefund,
  state: NotedRefund['state'],
): void {
  sentRefunds.set(refund.txHash, { ...refund, state })
}

/** @returns true once the inbox has the refund, or its payment is used */
async function restoreReported(
  run: Run,
  refund: SentRefund,
  stored: readonly StoredCredit[],
): Promise<boolean> {
  const { name } = run.payments
  const { txHash } = refund
  const credit = stored.find((one) => isOf(refund, one))
  if (credit === undefined) return false
  if (isUsed(credit)) return true
  const reports = await allReports(inboxOf(run).reports, { name, txHashes: [txHash] })
  const report = reports.find((one) => one.source === 'chain' && creditsOf(one).includes(credit.id))
  if (report === undefined) return false
  const { merchant, rawBody } = report
  const transfer = { ...readStoredTransfer(rawBody), txHash }
  return restore(run, refund, { credit, merchant, transfer })
}

function inboxOf({ payments }: Run): CheckedInbox {
  return checkedInbox(payments.internals.inbox)
}

/**
 * Restores the refund of a stored credit before it is reported, so that no order is completed with it.
 * @throws what API v3 and the inbox throw.
 */
export async function restoreRefundOf(run: Run, reported: ReportedCredit): Promise<void> {
  const { credit } = reported
  const refund = run.memory.sentRefunds.get(credit.txHash)
  if (refund === undefined || refund.state === 'known' || !isOf(refund, credit)) return
  const [stored] = await inboxOf(run).credits.find({ ids: [credit.id] })
  if (stored === undefined) return
  if (isUsed(stored) || (await restore(run, refund, reported)))
    setState(run.memory, refund, 'known')
}

function isOf(refund: SentRefund, { txHash, wallet, rawAmount }: Credit): boolean {
  return refund.txHash === txHash && refund.wallet === wallet && refund.rawAmount === rawAmount
}

/** The release of refunds finds those that were sent later. */
function isUsed({ uses, releasedRefunds }: StoredCredit): boolean {
  return uses.length > 0 || releasedRefunds !== undefined
}

/**
 * Stores the lost proposal, and claims its credit, once the payer has the money. A transfer that is not final is read again: the
 * watcher looks back ten minutes. A process that ends between the two finds the credit unused, and claims it.
 * @returns false for a transfer that is not final
 */
async function restore(
  run: Run,
  { txHash, wallet, rawAmount, utime: validUntil }: SentRefund,
  { credit, merchant, transfer }: ReportedCredit,
): Promise<boolean> {
  const { v3, request, logger } = run
  const { name } = run.payments
  const inbox = inboxOf(run)
  const { reference, senderAddr } = transfer
  const attempt = 1
  const decision = {
    kind: 'refund',
    reference,
    txHash,
    attempt,
    id: globalThis.crypto.randomUUID(),
    validUntil,
    to: canonicalAddress(senderAddr),
    rawAmount: `${rawAmount}`,
    asset: credit.asset,
  } as const
  // The body is the same on every network.
  const { bodyHash } = await refundMessage(refundedMoney(decision, credit), { isTestOnly: false })
  const found = await findRefund(v3, { wallet, bodyHash }, request)
  if (found?.state !== 'refunded') return false
  await inbox.reports.store(refundRow(name, { merchant, transfer, decision }))
  const owner = refundOwner({ name, merchant }, { credit: credit.id, attempt })
  const claim = { kind: 'refund', ...owner, payments: [`${CREDIT_CLAIM}${credit.id}`] } as const
  const isClaimed = await inbox.credits.claim(claim)
  if (isClaimed) {
    logger.warn('a refund was sent that the inbox did not have; its payment no longer counts', {
      transaction: txHash,
      reference,
    })
  }
  return true
}
