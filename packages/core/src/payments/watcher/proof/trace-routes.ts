import type { ParsedTrace } from '../../../toncenter/chain/parse-trace.js'
import type { Comment } from '../../../toncenter/chain/message-body.js'
import type { JettonTransfer } from '../../../toncenter/chain/token-transfers.js'
import type { TraceMessage } from '../../../toncenter/chain/trace-messages.js'
import { transactionsOf } from '../../../toncenter/chain/trace-state.js'
import type { Credit, RouteMessage } from '../../ledger/credit.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { canonicalAddress } from '../../../shared/address.js'
import type { Trace } from '../../../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'

/** A trace, and its description. */
export interface DescribedTrace {
  trace: Trace
  description: ParsedTrace
}

type Route = Pick<Credit, 'route' | 'root'>

/**
 * Returns the messages that led to a message, which it ends with, back to the first one of the trace. What a wallet sent
 * itself has no cause: it may have received that money before. Neither have the coins that a jetton wallet attaches.
 */
export function routeTo(described: DescribedTrace, last: TraceMessage): Route {
  const { received, jettons, steps, shared } = linksOf(described)
  const stepOf = (message: TraceMessage): RouteMessage => {
    const known = steps.get(message) ?? toStep(message, linksOf(described))
    steps.set(message, known)
    return known
  }
  const route: [RouteMessage, ...RouteMessage[]] = [stepOf(last)]
  const passed = new Set<string>()
  for (let message = last; ;) {
    const { sentIn } = message
    const isOwn =
      message.sender === last.recipient || (message === last && jettons.has(sentIn ?? ''))
    if (sentIn === undefined || isOwn || passed.has(sentIn)) return { route }
    passed.add(sentIn)
    const cause = received.get(sentIn)
    if (cause === undefined) {
      const root = { transaction: canonicalTransactionHash(sentIn), isShared: shared.has(sentIn) }
      return { route, root }
    }
    message = cause
    route.unshift(stepOf(cause))
  }
}

/** Returns the time of a transaction as on the wire, Unix seconds. */
export function timeOfTransaction(described: DescribedTrace, hash: string): number {
  return linksOf(described).times.get(hash) ?? described.description.utime
}

/** Returns the jetton transfers of a trace by the transactions of the wallets that received them, as on the wire. */
export function jettonsByTransaction(
  described: DescribedTrace,
): ReadonlyMap<string, JettonTransfer> {
  return linksOf(described).jettons
}

type Links = ReturnType<typeof link>

// A trace may have thousands of messages, and a route is asked for from each.
const known = new WeakMap<ParsedTrace, Links>()

function linksOf(described: DescribedTrace): Links {
  const links = known.get(described.description) ?? link(described)
  known.set(described.description, links)
  return links
}

/** Links the messages of a trace by the hashes of its transactions. */
function link({ trace, description: { messages, transfers } }: DescribedTrace) {
  const received = new Map<string, TraceMessage>()
  for (const one of messages) if (one.receivedIn !== undefined) received.set(one.receivedIn, one)
  const jettons = new Map<string, JettonTransfer>()
  for (const one of transfers) {
    if (one.kind === 'jetton' && one.receivedIn !== undefined) jettons.set(one.receivedIn, one)
  }
  const transactions = transactionsOf(trace)
  return {
    received,
    jettons,
    comments: new Map<string, Comment>(transfers.map((one) => [one.hash, one])),
    fees: new Map(transactions.map((one) => [one.hash, feesOf(one)])),
    times: new Map(transactions.map(({ hash, now }) => [hash, now])),
    shared: sharedTransactions(messages, received),
    steps: new Map<TraceMessage, RouteMessage>(),
  }
}

/** Returns the transactions that sent several messages. What goes back to where it came from is change, not a payment. */
function sharedTransactions(
  messages: readonly TraceMessage[],
  received: ReadonlyMap<string, TraceMessage>,
): Set<string> {
  const counts = new Map<string, number>()
  for (const { sentIn = '', isBounced, recipient } of messages) {
    if (isBounced || recipient === received.get(sentIn)?.sender) continue
    counts.set(sentIn, (counts.get(sentIn) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([hash, count]) => (count > 1 ? hash : [])))
}

function toStep(message: TraceMessage, { comments, fees, shared }: Links): RouteMessage {
  const { hash, sender, recipient, value, opcode, bodyHash, receivedIn = '' } = message
  return {
    hash: canonicalTransactionHash(hash),
    sender: canonicalAddress(sender),
    recipient: canonicalAddress(recipient),
    value,
    opcode,
    bodyHash: bodyHash === undefined ? undefined : canonicalTransactionHash(bodyHash),
    comment: comments.get(hash)?.comment,
    isCommentEncrypted: comments.get(hash)?.encryptedComment !== undefined,
    transaction: canonicalTransactionHash(receivedIn),
    fees: fees.get(receivedIn) ?? 0n,
    isShared: shared.has(receivedIn),
  }
}

/** Returns the fees of a transaction and of the messages that it sent, nanocoins. */
function feesOf({ total_fees, out_msgs }: Transaction): bigint {
  return out_msgs.reduce(
    (sum, { fwd_fee = 0n, ihr_fee = 0n }) => sum + fwd_fee + ihr_fee,
    total_fees,
  )
}

/** Returns whether an account as on the wire, a raw address, equals a canonical address. */
export function isAccount(account: string | undefined, canonical: string): boolean {
  return account?.toLowerCase() === canonical
}
