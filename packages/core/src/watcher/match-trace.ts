import { describeTrace, type TraceDescription, type Transfer } from '../chain/describe-trace.js'
import type { TraceMessage } from '../chain/trace-messages.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { isOlder } from './proof/order-age.js'
import type { DescribedTrace } from './proof/payment-route.js'
import { readBodyHash } from './proof/read-body-hash.js'
import { whyUnsettled, type IndexedTrace } from './proof/verify-payment.js'
import { readCredit, statedMoney, type Credit } from './read-credit.js'
import {
  amountKey,
  type OpenOrders,
  type OrderHint,
  type WatchedKey,
  type WatchedOrder,
} from './open-orders.js'
import type { Run } from './run.js'
import { readUnnamedCredits } from './unnamed-credits.js'

/** A payment and the order that it names. */
export interface Match extends WatchedKey {
  credit: Credit
}

/** The payments that a trace holds. */
export interface TraceMatches {
  matches: Match[]
  /** Credits that pay no order. */
  unnamed: Credit[]
  /** The trace is not final or not complete: look again later. */
  isUnsettled: boolean
  /** The matches hold all that the wallets have received, so no other order can be paid by this trace. */
  isPaidWhole: boolean
  /** Orders that one payment fits alike. */
  ambiguous: WatchedKey[][]
}

/** A message that may be a payer's, with the fields that can name an order. */
interface HintedMessage {
  message: TraceMessage
  hint: OrderHint
}

/** A trace with the messages that led to a credit of one of the wallets. */
export interface HintedTrace extends DescribedTrace {
  messages: readonly HintedMessage[]
}

/**
 * Describes a trace for {@link matchTrace}.
 * @param wallets the scanned wallets, canonical
 */
export function describeCandidate(
  { trace, metadata }: IndexedTrace,
  wallets: ReadonlySet<string>,
): HintedTrace {
  const description = describeTrace(trace, { metadata })
  const messages = messagesTo(wallets, description).map((message) => ({
    message,
    hint: {
      bodyHash: readBodyHash(message.bodyHash),
      comment: transferOf(message, description)?.comment,
    },
  }))
  return { trace, description, messages }
}

/**
 * Finds the payments of a trace for the orders that they name; the hints of its messages must have been loaded. A payment
 * that is older than the order is only found by the body of its message.
 */
export async function matchTrace(hintedTrace: HintedTrace, run: Run): Promise<TraceMatches> {
  const found: TraceMatches = {
    matches: [],
    unnamed: [],
    isUnsettled: whyUnsettled(hintedTrace) !== undefined,
    isPaidWhole: false,
    ambiguous: [],
  }
  if (found.isUnsettled) return found
  for (const hinted of hintedTrace.messages) {
    const matches = await matchMessage(hintedTrace, hinted, run)
    if (matches === 'unsettled') {
      found.isUnsettled = true
      continue
    }
    const [match] = matches
    if (match === undefined) continue
    const others = [...matches.slice(1), ...paidElsewhere(match, hinted, run)]
    if (others.length === 0) found.matches.push(match)
    else found.ambiguous.push([match, ...others].map(keyOf))
  }
  found.matches = found.matches.filter((match, index) => {
    return !isNamedCloser(match, found.matches.slice(index + 1))
  })
  const credits = found.matches.map(({ credit }) => credit)
  const unnamed = await readUnnamedCredits(hintedTrace, credits, run)
  if (unnamed === 'unsettled') found.isUnsettled = true
  else found.unnamed = unnamed
  const paid = new Set(credits.flatMap(({ transactions }) => transactions))
  const received = hintedTrace.description.messages.filter(({ recipient }) =>
    isAmong(run.wallets, recipient),
  )
  found.isPaidWhole =
    paid.size > 0 &&
    received.every(({ receivedIn = '' }) => paid.has(canonicalTransactionHash(receivedIn)))
  return found
}

/** Returns the orders of other merchants that the payment has completed. Claims cover one merchant only. */
function paidElsewhere(
  { merchant, credit }: Match,
  { hint }: HintedMessage,
  { named }: Run,
): WatchedOrder[] {
  return named
    .completedBy(hint, credit)
    .filter((order) => order.merchant !== merchant && order.recipients.includes(credit.recipient))
}

/** Returns true when a message closer to the money names another order: anyone can make a contract pay by a message. */
function isNamedCloser(match: Match, later: readonly Match[]): boolean {
  const { reference, merchant, credit } = match
  return later.some((other) => {
    const isSame = other.reference === reference && other.merchant === merchant
    return !isSame && other.credit.credits.some((hash) => credit.credits.includes(hash))
  })
}

function keyOf({ reference, merchant }: WatchedKey): WatchedKey {
  return { reference, merchant }
}

/** Returns the matches of the best field that names orders whose recipient was credited. */
async function matchMessage(
  described: DescribedTrace,
  { message, hint }: HintedMessage,
  run: Run,
): Promise<Match[] | 'unsettled'> {
  const matchesOf = async (candidates: readonly WatchedOrder[]): Promise<Match[] | 'unsettled'> => {
    const matches: Match[] = []
    for (const order of candidates) {
      for (const recipient of order.recipients) {
        const claim = { message, reference: order.reference, recipient, asset: order.asset }
        const credit = await readCredit(described, claim, run)
        if (credit === 'unsettled') return 'unsettled'
        if (credit === undefined || !mayPay(credit, order)) continue
        matches.push({ ...keyOf(order), credit })
        break
      }
    }
    return matches
  }
  const byHint = run.named.find(hint)
  for (const candidates of byHint) {
    const matches = await matchesOf(candidates)
    if (matches.length > 0) return matches
  }
  const transfer = transferOf(message, described.description)
  return matchesOf(ordersByAmount(transfer, run.orders, byHint.flat()))
}

/** Returns the orders of an amount, except those of merchants whose order the message names otherwise. */
function ordersByAmount(
  transfer: Transfer | undefined,
  { byAmount }: OpenOrders,
  named: readonly WatchedOrder[],
): readonly WatchedOrder[] {
  if (byAmount.size === 0 || transfer === undefined) return []
  const money = statedMoney(transfer)
  const orders = (money && byAmount.get(amountKey(money))) ?? []
  const merchants = new Set(named.map(({ merchant }) => merchant))
  return orders.filter(({ merchant }) => !merchants.has(merchant))
}

/** Returns whether a payment is recent enough for its order, or has the body that binds it to the order. */
function mayPay({ bodyHash, utime }: Credit, order: WatchedOrder): boolean {
  const isBound = order.bodyHash !== undefined && readBodyHash(bodyHash) === order.bodyHash
  return isBound || !isOlder({ utime, createdMs: order.createdMs })
}

/** Returns the messages that credit one of the wallets and those that led to them, in the order of the trace. */
function messagesTo(
  wallets: ReadonlySet<string>,
  { messages, transfers }: TraceDescription,
): TraceMessage[] {
  const byHash = new Map(messages.map((one) => [one.hash, one]))
  const receivedBy = new Map(messages.map((one) => [one.receivedIn, one]))
  const found = new Set<TraceMessage>()
  const addWithCauses = (credit: TraceMessage | undefined): void => {
    for (let one = credit; one !== undefined && !found.has(one); one = causeOf(one)) found.add(one)
  }
  const causeOf = ({ sentIn }: TraceMessage): TraceMessage | undefined =>
    sentIn === undefined ? undefined : receivedBy.get(sentIn)
  for (const one of messages) if (isAmong(wallets, one.recipient)) addWithCauses(one)
  for (const one of transfers) {
    if (isAmong(wallets, one.recipient)) addWithCauses(byHash.get(one.hash))
  }
  return messages.filter((one) => found.has(one) && !one.isBounced)
}

/** @param account as on the wire */
function isAmong(wallets: ReadonlySet<string>, account = ''): boolean {
  return wallets.has(account.toLowerCase())
}

function transferOf({ hash }: TraceMessage, { transfers }: TraceDescription) {
  return transfers.find((one) => one.hash === hash)
}
