import { z } from 'zod'
import type { Report } from '../inbox/inbox.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { VerificationResult, VerifiedPayment } from '../orders/payment-verifier.js'
import { REPORTS_OF_TRANSACTION } from '../engine/paid-elsewhere.js'
import { toNewReport } from '../engine/report.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import type { PayerMessage, TonConnectMessages } from '../../shared/ton-connect-request.js'
import { CHAIN_IDS } from '../../shared/ton-connect.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import { createPaymentVerifier } from '../watcher/proof/payment-verifier.js'
import { requireReader, type OperatorContext, type OperatorReader } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { claimRefund } from './refund-claim.js'
import { findRefund, refundLink, refundMessage, type RefundedMoney } from './refund-message.js'
import { findReportedMoney, type ReportedMoney } from './reported-money.js'
import { isRequested, unrequestedWarning } from './requested-jetton.js'
import { lazy } from '../../shared/lazy.js'

/** A payment to return. */
export interface RefundRequest {
  /** In hex or base64. */
  transactionHash: string
  /** @default '' */
  merchant?: string | undefined
  /**
   * Also returns a jetton that no order asks for. Its contracts, which a stranger may have deployed, can keep the coins that
   * the refund attaches for fees. @default false
   */
  anyJetton?: boolean | undefined
}

type RefundDecision = DecisionOf<'refund'>

/** Time that the operator has to sign a proposal. */
const VALID_SECONDS = 600
/** Blocks after the end of a proposal that the index must have: its servers differ by some. */
const GRACE_SECONDS = 300

const COMPLETES_ORDER =
  'the payment has completed an order, or is about to complete one, and nothing is left of it'

const REQUEST = lazy(() =>
  z.strictObject({
    transactionHash: z.string().min(1),
    merchant: z.string().default(''),
    anyJetton: z.boolean().default(false),
    ...operatorNote(),
  } satisfies OptionSchemas<RefundRequest & OperatorNote>),
)

/** A checked request, and what it needs. */
interface RefundContext extends z.output<ReturnType<typeof REQUEST>>, OperatorContext {
  v3: OperatorReader
}

/** State of a refund. */
export type Refund =
  | {
      /** This call alone got the request. Send it to the merchant's wallet once. */
      state: 'proposed'
      /** The argument of `sendTransaction` of TON Connect, as JSON values. */
      request: TonConnectMessages
      /**
       * The same transfer as a link that opens a wallet app (`ton://transfer/…`), also as a QR code. It must be opened with the
       * wallet `request.from`. Absent for a jetton.
       */
      link?: string | undefined
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

/** See `Operator.refund`. */
export async function refund(
  context: OperatorContext,
  request: RefundRequest,
  note: OperatorNote,
): Promise<Refund> {
  const given = parseOptions(REQUEST(), { ...request, ...note }, { path: 'refund' })
  return proposeOrFollow({ ...context, ...given, v3: requireReader(context, 'refund') })
}

async function proposeOrFollow(options: RefundContext): Promise<Refund> {
  const { name, inbox, v3, merchant, transactionHash, anyJetton } = options
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
  if (verdict.kind === 'pending') return { state: 'waiting', reason: verdict.detail }
  if (verdict.kind === 'contradicted') return { state: 'rejected', reason: verdict.detail }
  const payment = await claimRefund(options, money, verdict.payments)
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
  { engine: { orders }, merchant }: RefundContext,
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
  { amount: rawAmount, jettonWallet, txHash = money.txHash }: VerifiedPayment,
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
async function prove(
  { v3 }: RefundContext,
  { transfer }: ReportedMoney,
): Promise<VerificationResult> {
  const { reference, asset, recipientAddr: recipient, senderAddr } = transfer
  if (senderAddr === '') {
    return {
      kind: 'contradicted',
      reason: 'other_sender',
      detail: 'the report does not name the payer',
    }
  }
  const order: Order = { reference, rawAmount: 0n, asset, recipient, status: 'pending' }
  const { signal } = new AbortController()
  return createPaymentVerifier({ v3 }).verify({ transfer, order }, { signal })
}

/** Returns the reports that name one of the transactions, proposals among them. */
function reportsOf({ name, inbox }: RefundContext, txHashes: string[]): Promise<Report[]> {
  return inbox.reports.list({ name, txHashes, limit: 2 * REPORTS_OF_TRANSACTION })
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
  options: RefundContext,
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
    const link = refundLink(refunded, message, validUntil)
    return { state: 'proposed', request, ...(link !== undefined && { link }) }
  }
}

/** Stores a proposal, with the hash that was asked for. @returns the stored one of its number */
async function store(
  { name, inbox, merchant, by, reason }: RefundContext,
  { transfer, txHash }: ReportedMoney,
  decision: RefundDecision,
): Promise<Decision | undefined> {
  const data = { ...transfer, txHash }
  const operator = { by, reason }
  const body = { event: 'transfer.completed', timestamp: transfer.date, data, operator }
  const rawBody = JSON.stringify(body)
  const row = {
    ...toNewReport(name, { merchant, source: 'operator', rawBody, transfer: data }),
    key: JSON.stringify(['refund', decision.txHash, decision.attempt]),
    wasCompletedBefore: false,
    decision,
  }
  return (await inbox.reports.store(row)).decision
}
