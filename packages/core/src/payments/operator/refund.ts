import { z } from 'zod'
import { allReports } from '../inbox/all-reports.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { isOver, isRefund, refundRow } from '../engine/proposed-refunds.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import type { PayerMessage, TonConnectMessages } from '../../shared/ton-connect-request.js'
import { CHAIN_IDS } from '../../shared/ton-connect.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import { requireReader, type OperatorContext, type OperatorReader } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { proveMoney } from './prove-money.js'
import { claimRefund, releaseRefund, type PaymentRefund } from './refund-claim.js'
import {
  findRefund,
  refundLink,
  refundMessage,
  type RefundedMoney,
} from '../ledger/refund-message.js'
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

const COMPLETES_ORDER =
  'the payment has completed an order, or is about to complete one, and nothing is left of it'

const UNDECIDED = 'a webhook about the payment, which may complete an order, is not decided yet'

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
  if (needsConfirmation && !money.reports.some(isRefund)) {
    return { state: 'needs_confirmation', warning }
  }
  // Before the searches: up to here the index is complete for them.
  const { gen_utime: head } = (await v3.masterchainInfo()).last
  const verdict = await proveMoney(options, money)
  if (verdict.kind === 'pending') return { state: 'waiting', reason: verdict.detail }
  if (verdict.kind === 'contradicted') return { state: 'rejected', reason: verdict.detail }
  const hashes = verdict.payments.map(({ txHash = money.txHash }) => txHash)
  const reports = await reportsOf(options, [money.txHash, ...hashes])
  for (const payment of verdict.payments) {
    const last = lastProposal(reports, payment.txHash ?? money.txHash)
    const proposal = { payment, last, head, warning }
    const refund = await proposeOrFollowPayment(options, money, proposal)
    if (refund !== undefined) return refund
  }
  return { state: 'rejected', reason: COMPLETES_ORDER }
}

/** A payment to return, and what is known about its refund. */
interface Proposal {
  payment: VerifiedPayment
  /** The last proposal. */
  last: RefundDecision | undefined
  /** Time of the newest block, Unix seconds. */
  head: number
  warning: string | undefined
}

/**
 * Follows the last proposal for a payment, or stores the next one unless it is open. A proposal that can no longer be sent
 * releases its claims first: each one has its own, so none is released while a later one is open. Of concurrent calls, one
 * stores the proposal, and the others find it.
 * @returns `undefined` when an order has the payment, or is about to have it.
 */
async function proposeOrFollowPayment(
  options: RefundContext,
  money: ReportedMoney,
  { payment, last, head, warning }: Proposal,
): Promise<Refund | undefined> {
  const { v3 } = options
  const former = last && (await messageOf(options, money, withAmount(payment, last)))
  const whole = await messageOf(options, money, payment)
  const isSame = whole.bodyHash === former?.bodyHash
  // Before the claim, so that a search that fails has claimed nothing.
  const sent =
    (former && (await findRefund(v3, former))) ?? (isSame ? undefined : await findRefund(v3, whole))
  const isReleased = last !== undefined && sent === undefined && isOver(last, head)
  if (isReleased) await releaseRefund(options, { payment, attempt: last.attempt })
  const first = isReleased ? last.attempt + 1 : (last?.attempt ?? 1)
  const isProposed = last !== undefined && !isReleased
  // A credit is linked with the webhooks about it before it is refunded.
  const { ledgerCredits = [] } = payment
  if (!isProposed && ledgerCredits.length > 0) await options.inbox.credits.store(ledgerCredits)
  const claimed = await claimRefund(options, money, { payment, attempt: first, isProposed })
  if (sent !== undefined || claimed === 'used') return sent
  if (claimed === 'undecided') return { state: 'waiting', reason: UNDECIDED }
  if (claimed.isUndecided) {
    await withdraw(options, money, { ...claimed, head })
    return { state: 'waiting', reason: UNDECIDED }
  }
  const { refunded, ...next } = await messageOf(options, money, claimed.payment)
  const isSearched = [former?.bodyHash, whole.bodyHash].includes(next.bodyHash)
  const found = isSearched ? undefined : await findRefund(v3, next)
  if (found !== undefined) return found
  if (isProposed) return waiting(last)
  if (warning !== undefined && !options.anyJetton) return { state: 'needs_confirmation', warning }
  const decision = decisionOf(money, refunded, { attempt: claimed.attempt, head })
  const stored = await store(options, money, decision)
  if (stored?.kind !== 'refund') return waiting(decision)
  if (stored.id === decision.id) return proposed(options, decision, { ...next, refunded, warning })
  if (!isOver(stored, head)) return waiting(stored)
  return proposeOrFollowPayment(options, money, { payment, last: stored, head, warning })
}

/**
 * Releases a claim that has no proposal. A stored proposal of its number that is over keeps calls that run at once from
 * proposing with it; where one of them has stored its proposal first, the claim stays.
 */
async function withdraw(
  options: RefundContext,
  money: ReportedMoney,
  { payment, attempt, head }: PaymentRefund & { head: number },
): Promise<void> {
  const refunded = moneyOf(money, payment)
  const over = decisionOf(money, refunded, { attempt, head: head - 2 * VALID_SECONDS })
  const stored = await store(options, money, over)
  if (stored?.kind === 'refund' && isOver(stored, head)) {
    await releaseRefund(options, { payment, attempt })
  }
}

function withAmount(payment: VerifiedPayment, { rawAmount }: RefundDecision): VerifiedPayment {
  return { ...payment, amount: BigInt(rawAmount) }
}

/** Returns the message that returns a payment, and the wallet that sends it. */
async function messageOf(
  { network }: RefundContext,
  money: ReportedMoney,
  payment: VerifiedPayment,
) {
  const refunded = moneyOf(money, payment)
  const { bodyHash, ...message } = await refundMessage(refunded, {
    isTestOnly: network === 'testnet',
  })
  return { refunded, message, bodyHash, wallet: refunded.wallet }
}

function proposed(
  { network }: RefundContext,
  { validUntil }: RefundDecision,
  given: { message: PayerMessage; refunded: RefundedMoney; warning: string | undefined },
): Refund {
  const { message, refunded, warning } = given
  const from = refunded.wallet
  const request = { validUntil, network: CHAIN_IDS[network], from, messages: [message] }
  const link = refundLink(refunded, message, validUntil)
  return {
    state: 'proposed',
    request,
    ...(link !== undefined && { link }),
    ...(warning !== undefined && { warning }),
  }
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
 * Returns the money of a payment. Its transaction credited the wallet, also when another one of its trace was passed.
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

/** Returns the reports that name one of the transactions, proposals among them. */
function reportsOf({ name, inbox }: RefundContext, txHashes: string[]): Promise<Report[]> {
  return allReports(inbox.reports, { name, txHashes })
}

/** Returns the last proposal to return the payment of a transaction that credited the wallet. */
function lastProposal(reports: readonly Report[], txHash: string): RefundDecision | undefined {
  return reports
    .filter(isRefund)
    .map(({ decision }) => decision)
    .filter((decision) => decision.txHash === txHash)
    .toSorted((one, other) => other.attempt - one.attempt)[0]
}

function waiting({ validUntil }: RefundDecision): Refund {
  const reason = 'a refund of it is open, or was until a few minutes ago'
  return { state: 'waiting', reason, validUntil }
}

/** Stores a proposal, with the hash that was asked for. @returns the stored one of its number */
async function store(
  { name, inbox, merchant, by, reason }: RefundContext,
  { transfer, txHash }: ReportedMoney,
  decision: RefundDecision,
): Promise<Decision | undefined> {
  const given = { merchant, transfer: { ...transfer, txHash }, decision, operator: { by, reason } }
  return (await inbox.reports.store(refundRow(name, given))).decision
}
