import { describeTrace, type TraceDescription } from '../onchain/describe-trace.js'
import type { TraceMetadata } from '../onchain/look-for-trace.js'
import { isInternal, type TraceMessage } from '../onchain/trace-messages.js'
import { isEnded, transactionsOf } from '../onchain/trace-transactions.js'
import { NATIVE_ASSET } from '../orders/asset.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import { judgeJettons, judgeNative } from './judge-credit.js'
import { isAccount, routeOf } from './payment-route.js'
import type { ProofVerdict, ProvenPayment, RefutedReason } from './verdict.js'

/** The payment that is looked for. Addresses are canonical, hashes lower-case hex. */
export interface ExpectedPayment {
  /** What the recipient is to be credited with, in base units. */
  rawAmount: bigint
  /** `'TON'`, or the jetton master. */
  asset: string
  recipient: string
  /** The hash of the body of the payer's message. */
  bodyHash: string
  /** Absent where any payer will do. */
  sender?: string | undefined
  /** A transaction of the payment. Absent where the body alone tells it. */
  txHash?: string | undefined
  /** The hash of the first transaction of the trace, or of the message that began it. */
  traceId?: string | undefined
  /** The recipient's wallet for the jetton, as its master tells it. Without it the index is asked for the jetton. */
  jettonWallet?: string | undefined
  /** By how many nanocoins a payment in the native coin may be less although no contract stood in between. */
  feeAllowance?: bigint | undefined
}

/** A trace as the index told it. */
export interface ToldTrace {
  trace: Trace
  /** Of the same answer. */
  metadata?: TraceMetadata | undefined
}

/**
 * Judges whether a trace holds this payment: the message with the body, by this sender, and the whole amount of the right
 * asset credited to the recipient, at once or through contracts that pass it on. Nothing is asked of the network.
 */
export function judgePayment(told: ToldTrace, expected: ExpectedPayment): ProofVerdict {
  const { trace, metadata } = told
  const description = describeTrace(trace, { metadata })
  const transactions = transactionsOf(trace)
  const unsettled = whyUnsettled(trace, description, transactions.length)
  if (unsettled !== undefined) return unsettled
  if (expected.traceId !== undefined && !namesOf(trace, transactions[0]).has(expected.traceId)) {
    const first = description.traceId ?? 'unknown'
    return refuted('other_trace', `the transaction is of the trace ${first}`)
  }
  const { txHash } = expected
  const named = transactions.find(({ hash }) => canonicalTransactionHash(hash) === txHash)
  if (txHash !== undefined && named === undefined) {
    return refuted('other_message', 'the transaction is not of this trace')
  }
  const verdicts = description.messages
    .filter((one) => isAskedBody(one, expected))
    .map((message) => judgeMessage(told, description, { message, expected, named: named?.hash }))
  const payments = verdicts.flatMap((one) => (one.kind === 'proven' ? one.payments : []))
  const [first, ...more] = payments
  if (first !== undefined) return { kind: 'proven', payments: [first, ...more] }
  // One that may still be proven keeps the others from being the last word.
  const verdict =
    verdicts.find(({ kind }) => kind === 'unsettled') ??
    verdicts[0] ??
    refuted('other_message', 'no message of the trace has the body')
  if (verdict.kind !== 'refuted' || areToldWhole(transactions)) return verdict
  return incomplete('the values and bodies of all messages', description)
}

/** Whether the index tells value and body of each message between accounts, with one of its two transactions. */
function areToldWhole(transactions: readonly Transaction[]): boolean {
  const messages = transactions
    .flatMap(({ in_msg, out_msgs }) => (in_msg === undefined ? out_msgs : [in_msg, ...out_msgs]))
    .filter(isInternal)
  const whole = messages.filter(
    ({ value, message_content }) => value !== undefined && message_content?.hash !== undefined,
  )
  const told = new Set(whole.map(({ hash }) => hash))
  return messages.every(({ hash }) => told.has(hash))
}

interface Candidate {
  message: TraceMessage
  expected: ExpectedPayment
  /** The transaction of `txHash`, as on the wire. */
  named: string | undefined
}

function judgeMessage(
  { trace }: ToldTrace,
  description: TraceDescription,
  { message, expected, named }: Candidate,
): ProofVerdict {
  const { sender, asset, recipient } = expected
  const route = routeOf(trace, description, { message, recipient })
  if (named !== undefined && !route.transactions.has(named)) {
    return refuted('other_message', 'the transaction is no part of the payment with the body')
  }
  if (sender !== undefined && !isAccount(message.sender, sender)) {
    return refuted('other_sender', `${message.sender} sent it`)
  }
  const credit =
    asset === NATIVE_ASSET ? judgeNative(route, expected) : judgeJettons(route, expected)
  if (credit.kind !== 'credited') return credit
  const payment: ProvenPayment = {
    message: canonicalTransactionHash(message.hash),
    credits: credit.credits,
    amount: credit.amount,
  }
  return { kind: 'proven', payments: [payment] }
}

function whyUnsettled(
  trace: Trace,
  description: TraceDescription,
  count: number,
): ProofVerdict | undefined {
  const { isComplete, isFinal } = description
  const name = nameOf(description)
  if (!isEnded(trace)) {
    return { kind: 'unsettled', reason: 'not_final', detail: `${name} goes on` }
  }
  const isBroken = trace.trace_info.trace_state === 'broken'
  if (isBroken || !isComplete || trace.is_incomplete === true || count === 0) {
    return incomplete('all transactions', description)
  }
  if (!isFinal) {
    return { kind: 'unsettled', reason: 'not_final', detail: `${name} is not in final blocks` }
  }
  return undefined
}

function incomplete(what: string, description: TraceDescription): ProofVerdict {
  const detail = `the index does not tell ${what} of ${nameOf(description)}`
  return { kind: 'unsettled', reason: 'incomplete', detail }
}

function nameOf({ traceId }: TraceDescription): string {
  return `the trace ${traceId ?? 'of the transaction'}`
}

/** What a trace may be called by: no description says which hash `traceId` is. */
function namesOf({ trace_id, external_hash }: Trace, root: Transaction | undefined): Set<string> {
  const names = [trace_id, external_hash, root?.hash, root?.in_msg?.hash, root?.in_msg?.hash_norm]
  return new Set(
    names.flatMap((name) => (name === undefined ? [] : canonicalTransactionHash(name))),
  )
}

function isAskedBody(message: TraceMessage, { bodyHash }: ExpectedPayment): boolean {
  if (message.isBounced || message.bodyHash === undefined) return false
  return canonicalTransactionHash(message.bodyHash) === bodyHash
}

function refuted(reason: RefutedReason, detail: string): ProofVerdict {
  return { kind: 'refuted', reason, detail }
}
