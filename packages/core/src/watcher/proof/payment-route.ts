import type { TraceDescription, Transfer } from '../../chain/describe-trace.js'
import type { JettonTransfer } from '../../chain/token-transfers.js'
import type { TraceMessage } from '../../chain/trace-messages.js'
import { transactionsOf } from '../../chain/trace-state.js'
import type { Trace } from '../../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'

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
  trace: Trace,
  told: TraceDescription,
  { message, recipient }: { message: TraceMessage; recipient: string },
): PaymentRoute {
  const { sent, received, fees, jettons, times } = linksOf(trace, told)
  const route = [message]
  const passed = ancestorsOf(received, message)
  let taken = 0n
  // The list grows while it is iterated.
  for (const { recipient: taker, receivedIn } of route) {
    if (receivedIn === undefined || passed.has(receivedIn)) continue
    passed.add(receivedIn)
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
    fees: taken,
    times,
  }
}

/**
 * Returns the transactions of a route that belong to this payment alone. A transaction before the payer's message that
 * also sent a message elsewhere belongs to several payments, and so do all before it.
 */
export function ownTransactionsOf(
  trace: Trace,
  told: TraceDescription,
  { message, transactions }: PaymentRoute,
): Set<string> {
  const { sent, received } = linksOf(trace, told)
  const own = new Set(transactions)
  let next: TraceMessage | undefined = message
  let isShared = false
  for (const hash of ancestorsOf(received, message)) {
    const cause = received.get(hash)
    // What goes back to where it came from is change, not a payment.
    isShared ||= (sent.get(hash) ?? []).some(
      (one) => one !== next && !one.isBounced && one.recipient !== cause?.sender,
    )
    if (isShared) own.delete(hash)
    next = cause
  }
  return own
}

/** Links between the messages of a trace, by the hashes of its transactions. */
interface Links {
  sent: ReadonlyMap<string | undefined, TraceMessage[]>
  received: ReadonlyMap<string | undefined, TraceMessage>
  /** Nanocoins. */
  fees: ReadonlyMap<string, bigint>
  /** Transfers by the hash of the message that requests them. */
  jettons: ReadonlyMap<string, JettonTransfer>
  /** Unix seconds. */
  times: ReadonlyMap<string, number>
}

// A trace may have thousands of messages, and a route is asked for from each.
const known = new WeakMap<TraceDescription, Links>()

function linksOf(trace: Trace, told: TraceDescription): Links {
  const links = known.get(told) ?? link(trace, told)
  known.set(told, links)
  return links
}

function link(trace: Trace, { messages, transfers }: TraceDescription): Links {
  const sent = new Map<string | undefined, TraceMessage[]>()
  for (const one of messages) sent.set(one.sentIn, [...(sent.get(one.sentIn) ?? []), one])
  const transactions = transactionsOf(trace)
  const jettons = transfers.filter((one: Transfer): one is JettonTransfer => one.kind === 'jetton')
  return {
    sent,
    received: new Map(messages.map((one) => [one.receivedIn, one])),
    fees: new Map(transactions.map((one) => [one.hash, feesOf(one)])),
    jettons: new Map(jettons.map((one) => [one.hash, one])),
    times: new Map(transactions.map(({ hash, now }) => [hash, now])),
  }
}

/** Returns whether an account as on the wire, a raw address, equals a canonical address. */
export function isAccount(account: string | undefined, canonical: string): boolean {
  return account?.toLowerCase() === canonical
}

/** Returns the transactions from the one that sent a message back to the first one of the trace, in this order. */
function ancestorsOf(
  received: ReadonlyMap<string | undefined, TraceMessage>,
  { sentIn }: TraceMessage,
): Set<string> {
  const found = new Set<string>()
  for (let hash = sentIn; hash !== undefined && !found.has(hash);) {
    found.add(hash)
    hash = received.get(hash)?.sentIn
  }
  return found
}

function feesOf({ total_fees, out_msgs }: Transaction): bigint {
  return out_msgs.reduce(
    (sum, { fwd_fee = 0n, ihr_fee = 0n }) => sum + fwd_fee + ihr_fee,
    total_fees,
  )
}
