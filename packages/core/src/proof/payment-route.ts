import type { TraceDescription, Transfer } from '../onchain/describe-trace.js'
import type { JettonTransfer } from '../onchain/token-transfers.js'
import type { TraceMessage } from '../onchain/trace-messages.js'
import { transactionsOf } from '../onchain/trace-transactions.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'

/** What a payer's message caused, up to the recipient. Accounts as on the wire. */
export interface PaymentRoute {
  /** The payer's message. */
  message: TraceMessage
  /** The messages of the route, the payer's first. */
  messages: readonly TraceMessage[]
  /** The transfers of jettons that messages of the route ask for. */
  jettons: readonly JettonTransfer[]
  /** The hashes of the transactions that led to the message, that sent it, and that it caused. */
  transactions: ReadonlySet<string>
  /** What the chain took between payer and recipient, nanocoins. */
  fees: bigint
}

/**
 * Follows a payer's message through the contracts that pass it on. What the recipient does with the money is no part of
 * the route.
 * @param recipient canonical
 */
export function routeOf(
  trace: Trace,
  told: TraceDescription,
  { message, recipient }: { message: TraceMessage; recipient: string },
): PaymentRoute {
  const { sent, received, fees, jettons } = linksOf(trace, told)
  const route = [message]
  const passed = ancestorsOf(received, message)
  let taken = 0n
  // The list grows while it is walked.
  for (const { recipient: taker, receivedIn } of route) {
    if (receivedIn === undefined || passed.has(receivedIn)) continue
    passed.add(receivedIn)
    // What comes back to the payer is no detour: the fees there are the payer's own.
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
  }
}

/** How the messages of a trace hang together, by the hashes of its transactions. */
interface Links {
  sent: ReadonlyMap<string | undefined, TraceMessage[]>
  received: ReadonlyMap<string | undefined, TraceMessage>
  /** Nanocoins. */
  fees: ReadonlyMap<string, bigint>
  /** By the message that asks for it. */
  jettons: ReadonlyMap<string, JettonTransfer>
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
  const jettons = transfers.filter((one: Transfer): one is JettonTransfer => one.kind === 'jetton')
  return {
    sent,
    received: new Map(messages.map((one) => [one.receivedIn, one])),
    fees: new Map(transactionsOf(trace).map((one) => [one.hash, feesOf(one)])),
    jettons: new Map(jettons.map((one) => [one.hash, one])),
  }
}

/** Whether an account of the wire, which is a raw address, is the one of a canonical address. */
export function isAccount(account: string | undefined, canonical: string): boolean {
  return account?.toLowerCase() === canonical
}

/** From the transaction that sent a message back to the first one of the trace. */
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
