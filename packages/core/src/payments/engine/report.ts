import { z } from 'zod'
import type { NewReport, Report } from '../inbox/inbox-reports.js'
import { CREDIT_CLAIM, type CreditUse, type NamedOrder } from '../inbox/inbox-credits.js'
import type { Payment, ReportSource } from '../orders/order.js'
import { TOO_OLD_FIELD } from '../orders/order-age.js'
import { canonicalTransactionHash, readTransactionHash } from '../orders/transaction-hash.js'
import type { TransferData } from '../orders/payload.js'
import { isMerchant, MERCHANT_RULE, reportedReference } from '../orders/order-key.js'
import { parseOptions } from '../../shared/options.js'
import { lazy } from '../../shared/lazy.js'

/** When the sweep claims a report that was stored and not decided; longer than any deadline. */
const UNDECIDED_RETRY_MS = 30_000
const TRANSACTION_CLAIM = 'tx:'

/** A transfer that a source has authenticated. */
export interface TransferReport {
  /** The merchant whose secret signed it, or whose wallet received it. @default '' */
  merchant?: string | undefined
  source: ReportSource
  /** The name of the secret that signed it. @default '' */
  signedWith?: string | undefined
  /** The body: JSON of a `transfer.completed` payload. */
  rawBody: string
  /** The transfer in the body; absent when the body cannot be read. */
  transfer?: TransferData | undefined
  /** Why the body cannot be read. */
  problem?: string | undefined
  /** On-chain payments that the report claims for its order, so that none pays two orders: hashes of credits and transactions. */
  payments?: readonly string[] | undefined
}

/** Returns the report of a transfer that was found on the chain or at the gateway; equal transfers give equal reports. */
export function createTransferReport(
  transfer: TransferData,
  found: Pick<TransferReport, 'merchant' | 'payments'> & { source: ReportSource },
): TransferReport {
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  return { ...found, transfer, rawBody: JSON.stringify(payload) }
}

/**
 * Returns the row to store for a report. Its key is made of the signed fields that the rules and a proof use, so that a
 * report with one false field never blocks a true one; other fields may differ between repetitions.
 * @throws {ConfigurationError} when the merchant is not a string that can be stored.
 */
export function toNewReport(
  name: string,
  { merchant = '', source, signedWith = '', rawBody, transfer, ...rest }: TransferReport,
): Omit<NewReport, 'wasCompletedBefore'> {
  if (merchant !== '') checkMerchant(merchant)
  const { problem, payments = [] } = rest
  const row = { name, merchant, source, signedWith, rawBody, payments }
  const retryInMs = UNDECIDED_RETRY_MS
  if (transfer === undefined) {
    const key = JSON.stringify(['unreadable', merchant, source, rawBody])
    return { ...row, key, reference: '', txHash: '', problem: problem ?? 'unreadable', retryInMs }
  }
  const { reference, status, rawAmount, asset, recipientAddr } = transfer
  const { senderAddr, traceId, bodyBase64Hash } = transfer
  const txHash = canonicalTransactionHash(transfer.txHash)
  const decisive = [reference, txHash, status, rawAmount, asset, recipientAddr]
  // One that is found again when the clocks are right is a report of its own.
  const age = source === 'chain' && transfer[TOO_OLD_FIELD] === true ? [TOO_OLD_FIELD] : []
  const claimed = [senderAddr, traceId, bodyBase64Hash]
  const key = JSON.stringify([merchant, source, ...decisive, ...claimed, ...age])
  const named = reportedReference(reference)
  const searched = { traceId: readTransactionHash(traceId), senderAddr, rawAmount }
  const comment = otherComment(transfer)
  return { ...row, key, reference: named, txHash, ...searched, comment, retryInMs }
}

/** Returns the comment of a payer unless it is the reference. */
export function otherComment({
  reference,
  commentToRecipient: comment = '',
}: TransferData): string | undefined {
  return comment === '' || comment === reference ? undefined : comment
}

const MERCHANT = lazy(() => z.string(MERCHANT_RULE).refine(isMerchant, MERCHANT_RULE))

/** @throws {ConfigurationError} when the merchant is not a string that can be stored. */
export function checkMerchant(merchant: unknown): asserts merchant is string {
  parseOptions(MERCHANT(), merchant, { path: 'merchant' })
}

/** Returns the claim on a transaction, as opposed to one on a credit. It holds for one merchant and one Payments. */
export function transactionClaim(txHash: string): string {
  return `${TRANSACTION_CLAIM}${txHash}`
}

/** A payment on the chain: the ids of its credits, and the canonical hashes of the transactions that it alone has. */
export interface ClaimedPayment {
  credits: readonly string[]
  transactions: readonly string[]
}

/** Returns the claims on a payment: on the money, and on each transaction that a report may name. */
export function paymentClaims({ credits, transactions }: ClaimedPayment): string[] {
  return [...credits.map((id) => `${CREDIT_CLAIM}${id}`), ...transactions.map(transactionClaim)]
}

/** Returns the ids of the credits among claims. */
export function creditsOf({ payments }: { payments: readonly string[] }): string[] {
  return payments.flatMap((claim) =>
    claim.startsWith(CREDIT_CLAIM) ? claim.slice(CREDIT_CLAIM.length) : [],
  )
}

/** Returns what an order uses of its payment: the price. `undefined` for all of it. The surplus stays unused. */
export function usedAmountOf({
  rawAmount,
  surplus,
}: Pick<Payment, 'rawAmount' | 'surplus'>): bigint | undefined {
  return surplus === undefined ? undefined : rawAmount - BigInt(surplus)
}

/** Returns true for a use of a credit by this order. */
export function isUseOf({ name, merchant, reference }: NamedOrder, use: CreditUse): boolean {
  const isSame = use.name === name && use.merchant === merchant && use.reference === reference
  return isSame && use.kind === 'order'
}

/** Returns the hashes of the transactions among claims. */
export function claimedTransactions(claims: readonly string[]): string[] {
  return claims.flatMap((claim) =>
    claim.startsWith(TRANSACTION_CLAIM) ? claim.slice(TRANSACTION_CLAIM.length) : [],
  )
}

/** A merchant's webhook alone must not take money from another merchant of the same wallet. */
export function isTrusted({ merchant, source }: Pick<Report, 'merchant' | 'source'>): boolean {
  return merchant === '' || source === 'gateway'
}

/** Returns the key of a report's order; `merchant` is always present. */
export function keyOf({ reference, merchant }: Report): { reference: string; merchant: string } {
  return { reference, merchant }
}

/** Returns what every decision about a report states. */
export function identify({ reference, txHash }: Report): { reference: string; txHash: string } {
  return { reference, txHash }
}
