import { canonicalAddress } from '../shared/address.js'
import { describeTrace, type TraceDescription } from '../chain/describe-trace.js'
import type { TraceMessage } from '../chain/trace-messages.js'
import { transactionsOf } from '../chain/trace-state.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { isOlder } from './proof/order-age.js'
import { readBodyHash } from './proof/read-body-hash.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'
import { readCredit, type Credit } from './read-credit.js'
import type { NamedOrders, OrderHint } from './named-orders.js'
import { amountKey, type OpenOrders, type WatchedKey, type WatchedOrder } from './open-orders.js'
import type { ReadTrace } from './read-traces.js'
import { readUnnamedCredits, type UnnamedCreditOptions } from './unnamed-credits.js'

/** A payment and the order that it names. */
interface Match extends WatchedKey {
  credit: Credit
}

/** The payments that a trace holds. */
export interface TraceMatches {
  matches: Match[]
  /** Credits that pay no order. */
  unnamed: Credit[]
  /** The trace is not final or not complete: look again later. */
  isUnsettled: boolean
  /** Orders that one payment fits alike. */
  ambiguous: WatchedKey[][]
}

/** A message that may be a payer's, with the fields that can name an order. */
interface HintedMessage {
  message: TraceMessage
  hint: OrderHint
}

/** A trace with the messages that led to a credit of one of the wallets. */
export interface DescribedTrace {
  trace: Trace
  description: TraceDescription
  messages: readonly HintedMessage[]
}

/** Dependencies of the matching of payments and orders. */
export interface Matching extends UnnamedCreditOptions {
  named: NamedOrders
}

/**
 * Describes a trace for {@link matchTrace}.
 * @param wallets the scanned wallets, canonical
 */
export function describeCandidate(
  { trace, metadata }: ReadTrace,
  wallets: ReadonlySet<string>,
): DescribedTrace {
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
export async function matchTrace(
  { trace, description, messages }: DescribedTrace,
  matching: Matching,
): Promise<TraceMatches> {
  const found: TraceMatches = { matches: [], unnamed: [], isUnsettled: false, ambiguous: [] }
  if (!isSettled(trace, description)) return { ...found, isUnsettled: true }
  for (const hinted of messages) {
    const matches = await matchMessage({ trace, description }, hinted, matching)
    if (matches === 'unsettled') {
      found.isUnsettled = true
      continue
    }
    const [match] = matches
    if (match === undefined) continue
    const others = [...matches.slice(1), ...paidElsewhere(match, hinted, matching)]
    if (others.length === 0) found.matches.push(match)
    else found.ambiguous.push([match, ...others].map(keyOf))
  }
  const credits = found.matches.map(({ credit }) => credit)
  const unnamed = await readUnnamedCredits({ trace, description }, credits, matching)
  if (unnamed === 'unsettled') found.isUnsettled = true
  else found.unnamed = unnamed
  return found
}

/** Returns the orders of other merchants that the payment has completed. Claims cover one merchant only. */
function paidElsewhere(
  { merchant, credit }: Match,
  { hint }: HintedMessage,
  { named }: Matching,
): WatchedOrder[] {
  return named
    .completedBy(hint, credit)
    .filter((order) => order.merchant !== merchant && order.recipients.includes(credit.recipient))
}

function keyOf({ reference, merchant }: WatchedKey): WatchedKey {
  return { reference, merchant }
}

/** Returns the matches of the best field that names orders whose recipient was credited. */
async function matchMessage(
  { trace, description }: Pick<DescribedTrace, 'trace' | 'description'>,
  { message, hint }: HintedMessage,
  matching: Matching,
): Promise<Match[] | 'unsettled'> {
  const { orders, named } = matching
  const matchesOf = async (candidates: readonly WatchedOrder[]): Promise<Match[] | 'unsettled'> => {
    const matches: Match[] = []
    for (const order of candidates) {
      for (const recipient of order.recipients) {
        const claim = { message, reference: order.reference, recipient, asset: order.asset }
        const credit = await readCredit(trace, description, claim, matching)
        if (credit === 'unsettled') return 'unsettled'
        if (credit === undefined || !mayPay(credit, order)) continue
        matches.push({ reference: order.reference, merchant: order.merchant, credit })
        break
      }
    }
    return matches
  }
  const byHint = ordersByHint(hint, orders, named)
  for (const candidates of byHint) {
    const matches = await matchesOf(candidates)
    if (matches.length > 0) return matches
  }
  return matchesOf(ordersByAmount(transferOf(message, description), orders, byHint.flat()))
}

/** Returns the orders that a message names, by the reliability of the field. */
function ordersByHint(
  hint: OrderHint,
  orders: OpenOrders,
  named: NamedOrders,
): (readonly WatchedOrder[])[] {
  const { bodyHash, comment } = hint
  const { open, closed } = named.find(hint)
  return [
    unite(bodyHash === undefined ? undefined : orders.byBody.get(bodyHash), open.byBody),
    unite(comment === undefined ? undefined : orders.byComment.get(comment), open.byComment),
    closed.byBody,
    closed.byComment,
  ]
}

/** Returns the listed orders, and those that were looked up and are not listed. */
function unite(
  listed: readonly WatchedOrder[] = [],
  lookedUp: readonly WatchedOrder[],
): readonly WatchedOrder[] {
  const isListed = (order: WatchedOrder): boolean =>
    listed.some(
      ({ reference, merchant }) => reference === order.reference && merchant === order.merchant,
    )
  return [...listed, ...lookedUp.filter((order) => !isListed(order))]
}

/** Returns the orders of an amount, except those of merchants whose order the message names otherwise. */
function ordersByAmount(
  transfer: TraceDescription['transfers'][number] | undefined,
  { byAmount }: OpenOrders,
  named: readonly WatchedOrder[],
): readonly WatchedOrder[] {
  if (byAmount.size === 0) return []
  const key = amountKeyOf(transfer)
  const orders = (key === undefined ? undefined : byAmount.get(key)) ?? []
  const merchants = new Set(named.map(({ merchant }) => merchant))
  return orders.filter(({ merchant }) => !merchants.has(merchant))
}

/** Returns whether a payment is recent enough for its order, or has the body that binds it to the order. */
function mayPay({ bodyHash, utime }: Credit, order: WatchedOrder): boolean {
  const isBound = order.bodyHash !== undefined && readBodyHash(bodyHash) === order.bodyHash
  return isBound || !isOlder({ utime, createdMs: order.createdMs })
}

/** Returns whether the trace is final and complete. */
function isSettled(trace: Trace, { isComplete, isFinal }: TraceDescription): boolean {
  const isWhole = trace.trace_info.trace_state !== 'broken' && trace.is_incomplete !== true
  return isComplete && isFinal && isWhole && transactionsOf(trace).length > 0
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
  const isWallet = (account: string | undefined): boolean =>
    account !== undefined && wallets.has(account.toLowerCase())
  for (const one of messages) if (isWallet(one.recipient)) addWithCauses(one)
  for (const one of transfers) if (isWallet(one.recipient)) addWithCauses(byHash.get(one.hash))
  return messages.filter((one) => found.has(one) && !one.isBounced)
}

function transferOf({ hash }: TraceMessage, { transfers }: TraceDescription) {
  return transfers.find((one) => one.hash === hash)
}

function amountKeyOf(
  transfer: TraceDescription['transfers'][number] | undefined,
): string | undefined {
  if (transfer?.recipient === undefined || transfer.kind === 'nft') return undefined
  const recipient = canonicalAddress(transfer.recipient)
  const { amount: rawAmount } = transfer
  if (transfer.kind === 'native') return amountKey({ recipient, asset: NATIVE_ASSET, rawAmount })
  const { jetton } = transfer
  return jetton && amountKey({ recipient, asset: canonicalAddress(jetton), rawAmount })
}
