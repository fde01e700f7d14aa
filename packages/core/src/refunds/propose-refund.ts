import { z } from 'zod'
import { checkedInbox, type CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox.js'
import { checkedRepository } from '../orders/checked-repository.js'
import type { DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { ProofVerdict, ProvenPayment } from '../orders/payment-proof.js'
import { isSamePayment } from '../orders/same-payment.js'
import type { Payments } from '../payments/payments.js'
import {
  operatorNote,
  paymentClaims,
  toNewReport,
  transactionClaim,
  type OperatorNote,
} from '../payments/report.js'
import { withRecordedPayment } from '../payments/recorded-payment.js'
import { findReportedMoney, type ReportedMoney } from '../payments/reported-money.js'
import { canonicalAddress } from '../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../shared/asset.js'
import { CHAIN_IDS, type Invoice, type PayerMessage } from '../shared/invoice.js'
import { objectWith, parseOptions, type OptionSchemas } from '../shared/options.js'
import type { V3Client } from '../toncenter/v3/client.js'
import { createPaymentProof } from '../watcher/proof/payment-proof.js'
import {
  findRefund,
  refundMessage,
  type RefundedMoney,
  type RefundReader,
} from './refund-message.js'
import { isRequested, unrequestedWarning } from './requested-jetton.js'

/** The methods of a client of API v3 that a refund needs. */
type Reader = RefundReader & Pick<V3Client, 'masterchainInfo' | 'runGetMethod'>

/** Options of {@link proposeRefund}. */
export type RefundOptions = OperatorNote & {
  payments: Pick<Payments, 'name' | 'orders' | 'inbox' | 'list'>
  /** A client of the network of the payment. */
  v3: Reader
  /** The payment to return, in hex or base64. */
  transactionHash: string
  /** @default '' */
  merchant?: string | undefined
  /** @default 'mainnet' */
  network?: 'mainnet' | 'testnet' | undefined
  /**
   * Also returns a jetton that no order asks for. Its contracts, which a stranger may have deployed, can keep the coins that
   * the refund attaches for fees. @default false
   */
  anyJetton?: boolean | undefined
}

type RefundDecision = DecisionOf<'refund'>

/** State of a refund. */
type Refund = Awaited<ReturnType<typeof proposeRefund>>

/** Time that the operator has to sign a proposal. */
const VALID_SECONDS = 600
/** Blocks after the end of a proposal that the index must have: its servers differ by some. */
const GRACE_SECONDS = 300

const COMPLETES_ORDER = 'the payment has completed an order, or is about to complete one'

const OPTIONS = z.strictObject({
  payments: objectWith<RefundOptions['payments']>('the result of createPayments()', ['list']),
  v3: objectWith<Reader>('the result of createV3Client()', ['masterchainInfo', 'messages']),
  transactionHash: z.string().min(1),
  merchant: z.string().default(''),
  network: z.enum(['mainnet', 'testnet']).default('mainnet'),
  anyJetton: z.boolean().default(false),
  ...operatorNote,
} satisfies OptionSchemas<RefundOptions>)

type Checked = z.output<typeof OPTIONS> & { inbox: CheckedInbox }

/**
 * Proposes to return the money of a payment to its payer, and follows the transfer once it is signed: call it again for the
 * state. At most one request can be signed at any time, on any number of servers: it is returned to one call, and the next one
 * only when the chain shows that the former has expired unsigned. From the first call on, the payment pays no order.
 * @throws {ConfigurationError} when an option is invalid, or no stored report shows that this transaction brought money.
 * @throws what the client of API v3 throws when the index cannot be reached.
 * @example
 * ```ts
 * import { createPayments, memoryOrderRepository, proposeRefund } from '@tonplug/core'
 * import { createV3Client } from '@tonplug/core/toncenter'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 *
 * export async function refund(transactionHash: string) {
 *   const refund = await proposeRefund({ payments, v3, transactionHash, by: 'ann@shop.example' })
 *   return refund.state === 'proposed' ? refund.request : refund.state
 * }
 * ```
 */
export async function proposeRefund(given: RefundOptions): Promise<
  | {
      /** This call alone got the request. Send it to the merchant's wallet once. */
      state: 'proposed'
      /** The argument of `sendTransaction` of TON Connect, as JSON values. */
      request: Awaited<ReturnType<Invoice['tonConnect']>>
      /** Present for a jetton that no order asks for. Show it to the operator. */
      warning?: string | undefined
    }
  | {
      /** No order asks for the jetton. Nothing was done: pass `anyJetton` if the operator insists in spite of the warning. */
      state: 'needs_confirmation'
      warning: string
    }
  | {
      /** A proposal is open, or the chain does not show enough yet. Call again later. */
      state: 'waiting'
      reason: string
      /** The end of the open proposal, Unix seconds. */
      validUntil?: number | undefined
    }
  | {
      /** The wallet has sent the transfer, which is not final; or the payer has the money. */
      state: 'sent' | 'refunded'
      /** The transaction of the merchant's wallet, lower-case hex. */
      txHash: string
    }
  | {
      /** The payment is not on the chain as reported, or has completed an order. */
      state: 'rejected'
      reason: string
    }
> {
  const parsed = parseOptions(OPTIONS, given)
  const options: Checked = { ...parsed, inbox: checkedInbox(parsed.payments.inbox) }
  const { inbox, v3, merchant, transactionHash, anyJetton } = options
  const { name } = options.payments
  const money = await findReportedMoney(inbox, { name, merchant, transactionHash })
  const last = lastProposal(money.reports)
  const warning = await warningOf(options, money)
  const needsConfirmation = warning !== undefined && !anyJetton
  // An earlier proposal is followed without a confirmation.
  if (needsConfirmation && last === undefined) return { state: 'needs_confirmation', warning }
  // Before the searches: up to here the index is complete for them.
  const { gen_utime: head } = (await v3.masterchainInfo()).last
  const verdict = await prove(options, money)
  if (verdict.kind === 'unsettled') return { state: 'waiting', reason: verdict.detail }
  if (verdict.kind === 'refuted') return { state: 'rejected', reason: verdict.detail }
  const payment = await claim(options, money, verdict.payments)
  if (payment === undefined) return { state: 'rejected', reason: COMPLETES_ORDER }
  const refunded = moneyOf(money, payment)
  const isTestOnly = options.network === 'testnet'
  const { bodyHash, ...message } = await refundMessage(refunded, { isTestOnly })
  const found = await findRefund(v3, { wallet: refunded.wallet, bodyHash })
  if (found !== undefined) return found
  if (last !== undefined && head <= last.validUntil + GRACE_SECONDS) return waiting(last)
  if (needsConfirmation) return { state: 'needs_confirmation', warning }
  const proposed = await propose(options, money, {
    message,
    decision: decisionOf(money, refunded, { attempt: (last?.attempt ?? 0) + 1, head }),
  })
  return proposed.state === 'proposed' && warning !== undefined
    ? { ...proposed, warning }
    : proposed
}

/** Returns the warning for a jetton that no order asks for. */
async function warningOf(
  { payments: { orders }, merchant }: Checked,
  { transfer, reports }: ReportedMoney,
): Promise<string | undefined> {
  const asset = canonicalAsset(transfer.asset)
  if (asset === NATIVE_ASSET) return undefined
  const references = reports.map(({ reference }) => reference)
  const isKnown = await isRequested(orders, { asset, merchant, references })
  return isKnown ? undefined : unrequestedWarning(asset)
}

function decisionOf(
  { transfer: { reference } }: ReportedMoney,
  { txHash, payer: to, rawAmount, asset }: RefundedMoney,
  { attempt, head }: { attempt: number; head: number },
): RefundDecision {
  return {
    kind: 'refund',
    reference,
    txHash,
    attempt,
    id: globalThis.crypto.randomUUID(),
    validUntil: head + VALID_SECONDS,
    to,
    rawAmount: `${rawAmount}`,
    asset,
  }
}

/** @throws {TypeError} for a jetton without a proven wallet, which would be returned in the native coin. */
function moneyOf(
  { txHash, transfer: { recipientAddr, senderAddr, ...transfer } }: ReportedMoney,
  { amount: rawAmount, jettonWallet }: ProvenPayment,
): RefundedMoney {
  const asset = canonicalAsset(transfer.asset)
  if ((asset === NATIVE_ASSET) !== (jettonWallet === undefined)) {
    throw new TypeError('a proven payment in a jetton has a jetton wallet')
  }
  return {
    txHash,
    wallet: canonicalAddress(recipientAddr),
    payer: canonicalAddress(senderAddr),
    asset,
    jettonWallet,
    rawAmount,
  }
}

/** A report may be untrue where webhooks are not proven: the chain decides who paid, how much, and to whom. */
async function prove({ v3 }: Checked, { transfer }: ReportedMoney): Promise<ProofVerdict> {
  const { reference, asset, recipientAddr: recipient, senderAddr } = transfer
  if (senderAddr === '') {
    return { kind: 'refuted', reason: 'other_sender', detail: 'the report does not name the payer' }
  }
  const order: Order = { reference, rawAmount: 0n, asset, recipient, status: 'pending' }
  const { signal } = new AbortController()
  return createPaymentProof({ v3 }).prove({ transfer, order }, { signal })
}

/** Claims one of the payments, so that no order is paid with it. @returns `undefined` when an order has or may be. */
async function claim(
  options: Checked,
  money: ReportedMoney,
  proven: readonly ProvenPayment[],
): Promise<ProvenPayment | undefined> {
  const { payments, inbox, merchant } = options
  const { name } = payments
  const references = await claimantsOf(options, money)
  for (const payment of proven) {
    const claims = [transactionClaim(money.txHash), ...money.payments, ...paymentClaims(payment)]
    for (const reference of references) {
      const wanted = { name, merchant, reference, payments: [...new Set(claims)] }
      const isFree = await inbox.claimPayments(wanted)
      if (isFree) return payment
    }
  }
  return undefined
}

/**
 * Returns the references that may have claimed the money: that of the refund, and those of orders that another payment has
 * completed at the same moment. None when the money has completed an order.
 */
async function claimantsOf(
  { payments: { orders }, inbox, merchant }: Checked,
  { txHash, transfer, reports }: ReportedMoney,
): Promise<string[]> {
  if (reports.some(hasPaid)) return []
  const claimants = new Set([JSON.stringify(['refund', txHash])])
  const { find } = checkedRepository(orders)
  for (const report of reports) {
    const { reference, source, state } = report
    const order = await withRecordedPayment(inbox, report, await find({ reference, merchant }))
    if (order?.status !== 'completed') continue
    const { payment } = order
    // An order that was settled in another way has no payment. A report that is not decided may be its payment.
    const isOther = payment
      ? !isSamePayment(payment, { txHash, transfer, source })
      : state === 'decided'
    if (!isOther) return []
    claimants.add(reference)
  }
  return [...claimants]
}

/** A duplicate that repeats no other report is the payment of its order. */
function hasPaid({ decision }: Report): boolean {
  return (
    decision?.kind === 'paid' || (decision?.kind === 'duplicate' && decision.first === undefined)
  )
}

function lastProposal(reports: readonly Report[]): RefundDecision | undefined {
  const proposals = reports.flatMap(({ decision }) => (decision?.kind === 'refund' ? decision : []))
  return proposals.toSorted((one, other) => other.attempt - one.attempt)[0]
}

function waiting({ validUntil }: RefundDecision): Refund {
  const reason = 'a proposal is open, or was until a few minutes ago'
  return { state: 'waiting', reason, validUntil }
}

/** Stores the proposal. Of concurrent calls, one stores it, and the others find it. */
async function propose(
  { payments: { name }, inbox, merchant, network, by, note }: Checked,
  { transfer }: ReportedMoney,
  { message, decision }: { message: PayerMessage; decision: RefundDecision },
): Promise<Refund> {
  const { txHash, attempt: number, validUntil, id } = decision
  const data = { ...transfer, txHash }
  const operator = { by, note }
  const body = { event: 'transfer.completed', timestamp: transfer.date, data, operator }
  const rawBody = JSON.stringify(body)
  const row = {
    ...toNewReport(name, { merchant, source: 'operator', rawBody, transfer: data }),
    key: JSON.stringify(['refund', merchant, txHash, number]),
    wasCompletedBefore: false,
    decision,
  }
  const { decision: stored } = await inbox.store(row)
  if (stored?.kind !== 'refund' || stored.id !== id) {
    return waiting(stored?.kind === 'refund' ? stored : decision)
  }
  const from = canonicalAddress(transfer.recipientAddr)
  const request = { validUntil, network: CHAIN_IDS[network], from, messages: [message] }
  return { state: 'proposed', request }
}
