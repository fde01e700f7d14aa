import { describeTrace, type TraceDescription } from '../../chain/describe-trace.js'
import type { TraceMetadata } from '../../chain/find-trace.js'
import { isInternal, type TraceMessage } from '../../chain/trace-messages.js'
import { isEnded, transactionsOf } from '../../chain/trace-state.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import type { Trace } from '../../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'
import { verifyJettonCredit, verifyNativeCredit } from './verify-credit.js'
import { isOlder } from './order-age.js'
import { isAccount, ownTransactionsOf, routeOf } from './payment-route.js'
import { refuted, type ProofVerdict, type ProvenPayment } from '../../orders/payment-proof.js'

/** The payment that is looked for. Addresses are canonical, hashes lower-case hex. */
export interface ExpectedPayment {
  /** Amount of the credit, in base units. */
  rawAmount: bigint
  /** `'TON'`, or the jetton master. */
  asset: string
  recipient: string
  /** The hash of the body of the payer's message. */
  bodyHash: string
  /** Absent where any payer will do. */
  sender?: string | undefined
  /** A transaction of the payment. Absent where the body alone identifies the payment. */
  txHash?: string | undefined
  /** The hash of the first transaction of the trace, or of the message that began it. */
  traceId?: string | undefined
  /** The recipient's wallet for the jetton, as its master computes it. Without it no payment in a jetton is proven. */
  jettonWallet?: string | undefined
  /** Nanocoins that may be missing from a direct payment in the native coin. */
  feeAllowance?: bigint | undefined
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
export function verifyPayment(indexed: IndexedTrace, expected: ExpectedPayment): ProofVerdict {
  const { trace, metadata } = indexed
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
    .map((message) =>
      verifyMessage(indexed, description, { message, expected, named: named?.hash }),
    )
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

interface Candidate {
  message: TraceMessage
  expected: ExpectedPayment
  /** The transaction of `txHash`, as on the wire. */
  named: string | undefined
}

function verifyMessage(
  { trace }: IndexedTrace,
  description: TraceDescription,
  { message, expected, named }: Candidate,
): ProofVerdict {
  const { sender, asset, recipient, createdMs } = expected
  const route = routeOf(trace, description, { message, recipient })
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
  const { credits, amount, utime } = credit
  if (isOlder({ utime, createdMs })) {
    return refuted('older', `it was credited at ${utime}, before the order was created`)
  }
  const transactions = ownTransactionsOf(trace, description, route)
  if (named !== undefined) transactions.add(named)
  const payment: ProvenPayment = {
    message: canonicalTransactionHash(message.hash),
    credits,
    amount,
    utime,
    transactions: [...transactions].map(canonicalTransactionHash).toSorted(),
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
