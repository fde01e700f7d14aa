import { z } from 'zod'
import { checkedInbox, type CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox.js'
import { checkedRepository } from '../orders/checked-repository.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { ProofVerdict, ProvenPayment } from '../orders/payment-proof.js'
import { isSamePayment } from '../orders/same-payment.js'
import { isPaidElsewhere, REPORTS_OF_TRANSACTION } from '../payments/paid-elsewhere.js'
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
  const warning = await warningOf(options, money)
  const needsConfirmation = warning !== undefined && !anyJetton
  // An earlier proposal is followed without a confirmation.
  if (needsConfirmation && lastProposal(money.reports) === undefined) {
    return { state: 'needs_confirmation', warning }
  }
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
  const last = lastProposal(await reportsOf(options, [money.txHash, refunded.txHash]))
  if (last !== undefined && head <= last.validUntil + GRACE_SECONDS) return waiting(last)
  if (needsConfirmation) return { state: 'needs_confirmation', warning }
  const first = (last?.attempt ?? 0) + 1
  const proposed = await proposeNext(options, money, { message, refunded, head, first })
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

/**
 * Returns the money of a payment. Its transaction is the one that credited the wallet, whichever one was asked for.
 * @throws {TypeError} for a jetton without a proven wallet, which would be returned in the native coin.
 */
function moneyOf(
  { transfer: { recipientAddr, senderAddr, ...transfer }, ...money }: ReportedMoney,
  { amount: rawAmount, jettonWallet, txHash = money.txHash }: ProvenPayment,
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
  const orders = await otherOrders(options, money)
  if (orders === undefined) return undefined
  for (const payment of proven) {
    const own = [transactionClaim(money.txHash), ...money.payments, ...paymentClaims(payment)]
    const claims = [...new Set(own)]
    if (await isPaidElsewhere(inbox, { name, claims })) continue
    const [credit] = payment.credits
    for (const reference of [JSON.stringify(['refund', credit]), ...orders]) {
      const isFree = await inbox.claimPayments({ name, merchant, reference, payments: claims })
      if (isFree) return payment
    }
  }
  return undefined
}

/**
 * Returns the references of orders that another payment has completed at the same moment, and that may have claimed the
 * money; `undefined` when the money has completed an order.
 */
async function otherOrders(
  { payments: { orders }, inbox, merchant }: Checked,
  { txHash, transfer, reports }: ReportedMoney,
): Promise<string[] | undefined> {
  if (reports.some(hasPaid)) return undefined
  const others = new Set<string>()
  const { find } = checkedRepository(orders)
  for (const report of reports) {
    const { reference, source, state, decision } = report
    const order = await withRecordedPayment(inbox, report, await find({ reference, merchant }))
    if (order?.status !== 'completed') continue
    const { payment } = order
    // An order that was settled in another way has no payment. A report that is not decided may be its payment.
    const isOther = payment
      ? decision?.kind === 'extra_payment' || !isSamePayment(payment, { txHash, transfer, source })
      : state === 'decided'
    if (!isOther) return undefined
    others.add(reference)
  }
  return [...others]
}

/** A duplicate that repeats no other report is the payment of its order. */
function hasPaid({ decision }: Report): boolean {
  return (
    decision?.kind === 'paid' || (decision?.kind === 'duplicate' && decision.first === undefined)
  )
}

/** Returns the reports that name one of the transactions, proposals among them. */
function reportsOf({ payments: { name }, inbox }: Checked, txHashes: string[]): Promise<Report[]> {
  return inbox.listReports({ name, txHashes, limit: 2 * REPORTS_OF_TRANSACTION })
}

function lastProposal(reports: readonly Report[]): RefundDecision | undefined {
  const proposals = reports.flatMap(({ decision }) => (decision?.kind === 'refund' ? decision : []))
  return proposals.toSorted((one, other) => other.attempt - one.attempt)[0]
}

function waiting({ validUntil }: RefundDecision): Refund {
  const reason = 'a proposal is open, or was until a few minutes ago'
  return { state: 'waiting', reason, validUntil }
}

interface Proposal {
  message: PayerMessage
  refunded: RefundedMoney
  /** Time of the newest block, Unix seconds. */
  head: number
  /** The first number that may be free. */
  first: number
}

/**
 * Stores the next proposal for a credit, unless one is open: proposals that were asked for by another of its hashes have the
 * same numbers. Of concurrent calls, one stores it, and the others find it.
 */
async function proposeNext(
  options: Checked,
  money: ReportedMoney,
  { message, refunded, head, first }: Proposal,
): Promise<Refund> {
  for (let attempt = first; ; attempt++) {
    const decision = decisionOf(money, refunded, { attempt, head })
    const stored = await store(options, money, decision)
    if (stored?.kind !== 'refund') return waiting(decision)
    if (stored.id !== decision.id && head > stored.validUntil + GRACE_SECONDS) continue
    if (stored.id !== decision.id) return waiting(stored)
    const { validUntil } = decision
    const network = CHAIN_IDS[options.network]
    const request = { validUntil, network, from: refunded.wallet, messages: [message] }
    return { state: 'proposed', request }
  }
}

/** Stores a proposal, with the hash that was asked for. @returns the stored one of its number */
async function store(
  { payments: { name }, inbox, merchant, by, note }: Checked,
  { transfer, txHash }: ReportedMoney,
  decision: RefundDecision,
): Promise<Decision | undefined> {
  const data = { ...transfer, txHash }
  const operator = { by, note }
  const body = { event: 'transfer.completed', timestamp: transfer.date, data, operator }
  const rawBody = JSON.stringify(body)
  const row = {
    ...toNewReport(name, { merchant, source: 'operator', rawBody, transfer: data }),
    key: JSON.stringify(['refund', decision.txHash, decision.attempt]),
    wasCompletedBefore: false,
    decision,
  }
  return (await inbox.store(row)).decision
}
