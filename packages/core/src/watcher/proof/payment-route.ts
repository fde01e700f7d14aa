import type { TraceDescription } from '../../chain/describe-trace.js'
import type { JettonTransfer } from '../../chain/token-transfers.js'
import type { TraceMessage } from '../../chain/trace-messages.js'
import { transactionsOf } from '../../chain/trace-state.js'
import type { Trace } from '../../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'

/** A trace, and its description. */
export interface DescribedTrace {
  trace: Trace
  description: TraceDescription
}

/** The messages and transactions that a payer's message caused, up to the recipient. Accounts as on the wire. */
export interface PaymentRoute {
  /** The payer's message. */
  message: TraceMessage
  /** The messages of the route, the payer's first. */
  messages: readonly TraceMessage[]
  /** The transfers of jettons that messages of the route ask for. */
  jettons: readonly JettonTransfer[]
  /** The hashes of the transactions that led to the message, that sent it, and that it caused. */
  transactions: ReadonlySet<string>
  /** Those that belong to this payment alone. */
  ownTransactions: readonly string[]
  /** Fees of the chain between payer and recipient, nanocoins. */
  fees: bigint
  /** Unix seconds of each transaction of the trace, by its hash. */
  times: ReadonlyMap<string, number>
}

/**
 * Follows a payer's message through the contracts that pass it on. The route ends at the recipient.
 * @param recipient canonical
 */
export function routeOf(
  described: DescribedTrace,
  { message, recipient }: { message: TraceMessage; recipient: string },
): PaymentRoute {
  const links = linksOf(described)
  const { sent, fees, jettons, times } = links
  const route = [message]
  const { all: passed, own } = transactionsBefore(message, links)
  let taken = 0n
  // The list grows while it is iterated.
  for (const { recipient: taker, receivedIn } of route) {
    if (receivedIn === undefined || passed.has(receivedIn)) continue
    passed.add(receivedIn)
    own.push(receivedIn)
    // A message back to the payer ends there: the fees are the payer's own.
    if (isAccount(taker, recipient) || taker === message.sender) continue
    taken += fees.get(receivedIn) ?? 0n
    route.push(...(sent.get(receivedIn) ?? []))
  }
  return {
    message,
    messages: route,
    jettons: route.flatMap(({ hash }) => jettons.get(hash) ?? []),
    transactions: passed,
    ownTransactions: own,
    fees: taken,
    times,
  }
}

/**
 * Returns the transactions from the one that sent the payer's message back to the first one of the trace. One that also
 * sent a message elsewhere belongs to several payments, and so do all before it: they are not in `own`.
 */
function transactionsBefore(
  message: TraceMessage,
  { sent, received }: Links,
): { all: Set<string>; own: string[] } {
  const all = new Set<string>()
  const own: string[] = []
  let isShared = false
  let next: TraceMessage | undefined = message
  for (let hash = message.sentIn; hash !== undefined && !all.has(hash); hash = next?.sentIn) {
    const cause = received.get(hash)
    // What goes back to where it came from is change, not a payment.
    isShared ||= (sent.get(hash) ?? []).some(
      (one) => one !== next && !one.isBounced && one.recipient !== cause?.sender,
    )
    all.add(hash)
    if (!isShared) own.push(hash)
    next = cause
  }
  return { all, own }
}

type Links = ReturnType<typeof link>

// A trace may have thousands of messages, and a route is asked for from each.
const known = new WeakMap<TraceDescription, Links>()

function linksOf(described: DescribedTrace): Links {
  const links = known.get(described.description) ?? link(described)
  known.set(described.description, links)
  return links
}

/** Links the messages of a trace by the hashes of its transactions. */
function link({ trace, description: { messages, transfers } }: DescribedTrace) {
  const sent = new Map<string | undefined, TraceMessage[]>()
  for (const one of messages) sent.set(one.sentIn, [...(sent.get(one.sentIn) ?? []), one])
  const transactions = transactionsOf(trace)
  const jettons = transfers.filter((one): one is JettonTransfer => one.kind === 'jetton')
  return {
    sent,
    received: new Map(messages.map((one) => [one.receivedIn, one])),
    fees: new Map(transactions.map((one) => [one.hash, feesOf(one)])),
    /** Transfers by the hash of the message that requests them. */
    jettons: new Map(jettons.map((one) => [one.hash, one])),
    times: new Map(transactions.map(({ hash, now }) => [hash, now])),
  }
}

/** Returns whether an account as on the wire, a raw address, equals a canonical address. */
export function isAccount(account: string | undefined, canonical: string): boolean {
  return account?.toLowerCase() === canonical
}

/** Returns the fees of a transaction and of the messages that it sent, nanocoins. */
function feesOf({ total_fees, out_msgs }: Transaction): bigint {
  return out_msgs.reduce(
    (sum, { fwd_fee = 0n, ihr_fee = 0n }) => sum + fwd_fee + ihr_fee,
    total_fees,
  )
}
