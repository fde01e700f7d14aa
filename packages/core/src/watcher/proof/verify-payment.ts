import { describeTrace, type TraceDescription } from '../../chain/describe-trace.js'
import type { TraceMetadata } from '../../chain/find-trace.js'
import { isInternal, type TraceMessage } from '../../chain/trace-messages.js'
import { isEnded, transactionsOf } from '../../chain/trace-state.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import type { Trace } from '../../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'
import { verifyJettonCredit, verifyNativeCredit, type ExpectedCredit } from './verify-credit.js'
import { isOlder } from './order-age.js'
import { isAccount, routeOf, type DescribedTrace, type PaymentRoute } from './payment-route.js'
import { refuted, type ProofVerdict, type ProvenPayment } from '../../orders/payment-proof.js'

/** The payment that is looked for. Addresses are canonical, hashes lower-case hex. */
export interface ExpectedPayment extends ExpectedCredit {
  /** The hash of the body of the payer's message. */
  bodyHash: string
  /** Absent where any payer will do. */
  sender?: string | undefined
  /** A transaction of the payment. Absent where the body alone identifies the payment. */
  txHash?: string | undefined
  /** The hash of the first transaction of the trace, or of the message that began it. */
  traceId?: string | undefined
  /** Creation time of the order, milliseconds since the Unix epoch. Absent where a payment of any age is accepted. */
  createdMs?: number | undefined
}

/** A trace as the index returned it. */
export interface IndexedTrace {
  trace: Trace
  /** Metadata of the same response. */
  metadata?: TraceMetadata | undefined
}

/**
 * Verifies that a trace holds this payment: the message with the body, by this sender, and the whole amount of the right
 * asset credited to the recipient, directly or through contracts that pass it on. Makes no requests.
 */
export function verifyPayment(
  { trace, metadata }: IndexedTrace,
  expected: ExpectedPayment,
): ProofVerdict {
  const described = { trace, description: describeTrace(trace, { metadata }) }
  const { description } = described
  const unsettled = whyUnsettled(described)
  if (unsettled !== undefined) return unsettled
  const transactions = transactionsOf(trace)
  if (expected.traceId !== undefined && !namesOf(trace, transactions[0]).has(expected.traceId)) {
    const first = description.traceId ?? 'unknown'
    return refuted('other_trace', `the transaction is of the trace ${first}`)
  }
  const { txHash } = expected
  const named = transactions.find(({ hash }) => canonicalTransactionHash(hash) === txHash)?.hash
  if (txHash !== undefined && named === undefined) {
    return refuted('other_message', 'the transaction is not of this trace')
  }
  const verdicts = description.messages
    .filter((one) => isAskedBody(one, expected))
    .map((message) => verifyRoute(routeOf(described, { ...expected, message }), expected, named))
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

/** Returns whether the value and body of each message between accounts are known from one of its two transactions. */
function areToldWhole(transactions: readonly Transaction[]): boolean {
  const messages = transactions
    .flatMap(({ in_msg, out_msgs }) => (in_msg === undefined ? out_msgs : [in_msg, ...out_msgs]))
    .filter(isInternal)
  const whole = messages.filter(
    ({ value, message_content }) => value !== undefined && message_content?.hash !== undefined,
  )
  const hashes = new Set(whole.map(({ hash }) => hash))
  return messages.every(({ hash }) => hashes.has(hash))
}

/** @param named the transaction that was reported, as on the wire */
function verifyRoute(
  route: PaymentRoute,
  expected: ExpectedPayment,
  named: string | undefined,
): ProofVerdict {
  const { message } = route
  const { sender, asset, createdMs } = expected
  if (named !== undefined && !route.transactions.has(named)) {
    return refuted('other_message', 'the transaction does not belong to the payment with the body')
  }
  if (sender !== undefined && !isAccount(message.sender, sender)) {
    return refuted('other_sender', `${message.sender} sent it`)
  }
  const credit =
    asset === NATIVE_ASSET
      ? verifyNativeCredit(route, expected)
      : verifyJettonCredit(route, expected)
  if (credit.kind !== 'credited') return credit
  const { credits, amount, utime, jettonWallet } = credit
  if (isOlder({ utime, createdMs })) {
    return refuted('older', `it was credited at ${utime}, before the order was created`)
  }
  const transactions = new Set(route.ownTransactions)
  if (named !== undefined) transactions.add(named)
  const payment: ProvenPayment = {
    message: canonicalTransactionHash(message.hash),
    credits,
    amount,
    utime,
    ...(jettonWallet !== undefined && { jettonWallet }),
    transactions: [...transactions].map(canonicalTransactionHash).toSorted(),
  }
  return { kind: 'proven', payments: [payment] }
}

/** Returns the verdict on a trace that is not final or not complete: look again later. */
export function whyUnsettled({ trace, description }: DescribedTrace): ProofVerdict | undefined {
  const { isComplete, isFinal } = description
  if (!isEnded(trace)) {
    return { kind: 'unsettled', reason: 'not_final', detail: `${nameOf(description)} goes on` }
  }
  const isBroken = trace.trace_info.trace_state === 'broken' || trace.is_incomplete === true
  if (isBroken || !isComplete || transactionsOf(trace).length === 0) {
    return incomplete('all transactions', description)
  }
  if (isFinal) return undefined
  const detail = `${nameOf(description)} is not in final blocks`
  return { kind: 'unsettled', reason: 'not_final', detail }
}

function incomplete(what: string, description: TraceDescription): ProofVerdict {
  const detail = `the index does not tell ${what} of ${nameOf(description)}`
  return { kind: 'unsettled', reason: 'incomplete', detail }
}

function nameOf({ traceId }: TraceDescription): string {
  return `the trace ${traceId ?? 'of the transaction'}`
}

/** Returns the hashes that may name a trace: it is not documented which one `traceId` is. */
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
