import { parseTrace, type ParsedTrace } from '../../../toncenter/chain/parse-trace.js'
import type { TraceMetadata } from '../../../toncenter/chain/find-trace.js'
import { isInternal } from '../../../toncenter/chain/trace-messages.js'
import { isEnded, transactionsOf } from '../../../toncenter/chain/trace-state.js'
import { ownTransactions, type Credit, type RouteMessage } from '../../ledger/credit.js'
import { link, type LinkedCredit } from '../../ledger/link.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import type { Trace } from '../../../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import { contradicted, type Unproven } from '../../orders/unproven.js'
import type { ShownPayment, ShownResult } from './agree.js'
import type { ShownCredit } from './credit-witness.js'
import { arrivalsOf, creditsOf } from './credits-of.js'
import type { ExpectedPayment } from './expected-payment.js'
import { describeTooOld, isNamedBy, isOlder } from '../../orders/order-age.js'
import type { DescribedTrace } from './trace-routes.js'
import { whyNotPaid } from './why-not-paid.js'

/** Equal payments of one trace that a proof returns. */
const MOST_EQUAL = 50

type Unsettled = Extract<Unproven, { kind: 'pending' }>

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
export function verifyPayment(indexed: IndexedTrace, expected: ExpectedPayment): ShownResult {
  const { trace } = indexed
  const described = describe(indexed)
  const { description } = described
  const unsettled = whyUnsettled(described)
  if (unsettled !== undefined) return unsettled
  const transactions = transactionsOf(trace)
  if (expected.traceId !== undefined && !namesOf(trace, transactions[0]).has(expected.traceId)) {
    const first = description.traceId ?? 'unknown'
    return contradicted('other_trace', `the transaction is of the trace ${first}`)
  }
  const { txHash } = expected
  if (txHash !== undefined && !transactions.some(({ hash }) => isHash(hash, txHash))) {
    return contradicted('other_message', 'the transaction is not of this trace')
  }
  const { recipient, asset, jettonWallet } = expected
  const arrivals = arrivalsOf(described, new Set([recipient]))
  const isJetton = asset !== NATIVE_ASSET && jettonWallet !== undefined
  const proven = isJetton ? [[jettonWallet, asset] as const] : []
  const credits = creditsOf(arrivals, new Map(proven))
  const linked = linkAll(expected, credits)
  const named = linked.filter((parts) => isNamedAs(parts, expected.comment))
  if (linked.length > 0 && named.length === 0) {
    return contradicted('other_message', 'the message has another comment than was reported')
  }
  const recent = named.filter((parts) => mayPay(parts, expected))
  const lts = new Map(transactions.map(({ hash, lt }) => [canonicalTransactionHash(hash), lt]))
  const [first, ...more] = recent.map((parts) => toProven(parts, { lts, expected }))
  if (first !== undefined) return { kind: 'verified', payments: [first, ...more] }
  if (linked[0] !== undefined) {
    const { reference = '', createdMs } = expected
    return contradicted(
      'older',
      describeTooOld({ reference, createdMs }, { utime: utimeOf(linked[0]) }),
    )
  }
  const verdict = whyNotPaid(described, expected, { arrivals, credits })
  if (verdict.kind !== 'contradicted' || areToldWhole(transactions)) return verdict
  return incomplete('the values and bodies of all messages', description)
}

// One trace may hold the payments of hundreds of orders.
const known = new WeakMap<Trace, ParsedTrace>()

function describe({ trace, metadata }: IndexedTrace): DescribedTrace {
  const description = known.get(trace) ?? parseTrace(trace, { metadata })
  known.set(trace, description)
  return { trace, description }
}

/** Returns true if no later response can show more of a trace, or anything else. */
export function isWholeAndFinal(indexed: IndexedTrace): boolean {
  return (
    whyUnsettled(describe(indexed)) === undefined && areToldWhole(transactionsOf(indexed.trace))
  )
}

type Parts = readonly [LinkedCredit, ...LinkedCredit[]]

/** Returns the credits that are each the expected payment: the payer may have sent the same twice. */
function linkAll(expected: ExpectedPayment, credits: readonly Credit[]): Parts[] {
  const found: Parts[] = []
  const used = new Set<string>()
  const facts = { isWhole: true, used, named: new Map<string, string>() }
  while (found.length < MOST_EQUAL) {
    const result = link({ order: '', ...expected }, credits, facts)
    if (result.kind !== 'linked') return found
    found.push(result.credits)
    for (const { credit } of result.credits) used.add(credit.id)
  }
  return found
}

/** Returns true unless the payment is older than its order, and its message does not have the order's random reference. */
function mayPay(parts: Parts, { createdMs, reference = '' }: ExpectedPayment): boolean {
  const messages = parts.map(({ message }) => message)
  return !isOlder({ utime: utimeOf(parts), createdMs }) || isNamedBy(messages, reference)
}

function isNamedAs(parts: Parts, comment: string | undefined): boolean {
  return comment === undefined || parts.some(({ message }) => message.comment === comment)
}

function utimeOf(parts: Parts): number {
  return Math.max(...parts.map(({ credit }) => credit.utime))
}

/** @param trace the logical times of its transactions, by canonical hashes */
function toProven(
  parts: Parts,
  trace: { lts: ReadonlyMap<string, bigint>; expected: ExpectedPayment },
): ShownPayment {
  const { lts, expected } = trace
  const [first, ...more] = parts
  const { account, wallet } = first.credit
  const own = parts.flatMap(({ credit, message }) => ownTransactions(credit, message))
  return {
    message: first.message.hash,
    credits: [first.credit.id, ...more.map(({ credit }) => credit.id)],
    ledgerCredits: parts.map(({ credit }) => credit),
    txHash: first.credit.txHash,
    amount: parts.reduce((sum, { credit }) => sum + credit.rawAmount, 0n),
    ...(account !== wallet && { jettonWallet: account }),
    utime: utimeOf(parts),
    transactions: [...new Set(own)].toSorted(),
    claims: parts.map((part) => toClaim(part, lts)),
    comparedCredits: parts.map((part) => toCompared(part, expected)),
  }
}

/**
 * Returns a credit with the facts that every source shows: from the payer's message on, without the fees. A message has the
 * comment of its body, whose hash is compared. The trace has the name that the report gives it.
 */
function toCompared({ credit, message }: LinkedCredit, { traceId = '' }: ExpectedPayment): Credit {
  const compared = (one: RouteMessage): RouteMessage => {
    const isCompared = one.bodyHash !== undefined
    const said = isCompared ? one : { comment: undefined, isCommentEncrypted: false }
    const { comment, isCommentEncrypted } = said
    const { hash, sender, recipient, value, bodyHash, transaction } = one
    const facts = { hash, sender, recipient, value, bodyHash, transaction }
    return { ...facts, comment, isCommentEncrypted, fees: 0n, isShared: false }
  }
  const [first, ...more] = credit.route.slice(credit.route.indexOf(message))
  const route = [compared(first ?? message), ...more.map(compared)] as const
  return { ...credit, traceId, root: undefined, route }
}

/** @param lts the logical times of the trace's transactions, by canonical hashes */
function toClaim({ credit, message }: LinkedCredit, lts: ReadonlyMap<string, bigint>): ShownCredit {
  const { account, wallet, asset, rawAmount, utime, route } = credit
  const toClaimed = ({ hash, sender, recipient, value, bodyHash, transaction }: RouteMessage) => {
    const received = { hash: transaction, lt: lts.get(transaction) ?? 0n }
    return { hash, sender, recipient, value, bodyHash, transaction: received }
  }
  const [first, ...more] = route.slice(route.indexOf(message))
  const messages = [toClaimed(first ?? message), ...more.map(toClaimed)] as const
  return { account, wallet, asset, rawAmount, utime, route: messages }
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

/** Returns the verdict on a trace that is not final or not complete: look again later. */
export function whyUnsettled({ trace, description }: DescribedTrace): Unsettled | undefined {
  const { isComplete, isFinal } = description
  if (!isEnded(trace)) {
    return { kind: 'pending', reason: 'not_final', detail: `${nameOf(description)} goes on` }
  }
  const isBroken = trace.trace_info.trace_state === 'broken' || trace.is_incomplete === true
  if (isBroken || !isComplete || transactionsOf(trace).length === 0) {
    return incomplete('all transactions', description)
  }
  if (isFinal) return undefined
  const detail = `${nameOf(description)} is not in final blocks`
  return { kind: 'pending', reason: 'not_final', detail }
}

function incomplete(what: string, description: ParsedTrace): Unsettled {
  const detail = `the index does not tell ${what} of ${nameOf(description)}`
  return { kind: 'pending', reason: 'incomplete', detail }
}

function nameOf({ traceId }: ParsedTrace): string {
  return `the trace ${traceId ?? 'of the transaction'}`
}

/** Returns the hashes that may name a trace: it is not documented which one `traceId` is. */
function namesOf({ trace_id, external_hash }: Trace, root: Transaction | undefined): Set<string> {
  const names = [trace_id, external_hash, root?.hash, root?.in_msg?.hash, root?.in_msg?.hash_norm]
  return new Set(
    names.flatMap((name) => (name === undefined ? [] : canonicalTransactionHash(name))),
  )
}

function isHash(hash: string, canonical: string): boolean {
  return canonicalTransactionHash(hash) === canonical
}
