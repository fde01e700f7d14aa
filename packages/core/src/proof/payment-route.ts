import type { TraceDescription, Transfer } from '../onchain/describe-trace.js'
import type { JettonTransfer } from '../onchain/token-transfers.js'
import type { TraceMessage } from '../onchain/trace-messages.js'
import { transactionsOf } from '../onchain/trace-transactions.js'
import type { Trace } from '../v3/schemas/trace.js'

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
 */
export function routeOf(
  trace: Trace,
  told: TraceDescription,
  { message, recipient }: { message: TraceMessage; recipient: string },
): PaymentRoute {
  const messages = [message]
  const between = new Set<string>()
  const transactions = new Set(ancestorsOf(told, message))
  // The list grows while it is walked.
  for (const { receiver, receivedIn } of messages) {
    if (receivedIn === undefined || transactions.has(receivedIn)) continue
    transactions.add(receivedIn)
    // What comes back to the payer is no detour: the fees there are the payer's own.
    if (isAccount(receiver, recipient) || receiver === message.sender) continue
    between.add(receivedIn)
    messages.push(...told.messages.filter(({ sentIn }) => sentIn === receivedIn))
  }
  const hashes = new Set(messages.map(({ hash }) => hash))
  const jettons = told.transfers.filter(
    (one: Transfer): one is JettonTransfer => one.kind === 'jetton' && hashes.has(one.hash),
  )
  return { message, messages, jettons, transactions, fees: feesOf(trace, between) }
}

/** Whether an account of the wire, which is a raw address, is the one of a canonical address. */
export function isAccount(account: string | undefined, canonical: string): boolean {
  return account?.toLowerCase() === canonical
}

/** From the transaction that sent a message back to the first one of the trace. */
function ancestorsOf(told: TraceDescription, { sentIn }: TraceMessage): string[] {
  const found: string[] = []
  for (let hash = sentIn; hash !== undefined && !found.includes(hash);) {
    found.push(hash)
    const before = hash
    hash = told.messages.find(({ receivedIn }) => receivedIn === before)?.sentIn
  }
  return found
}

function feesOf(trace: Trace, hashes: ReadonlySet<string>): bigint {
  return transactionsOf(trace)
    .filter(({ hash }) => hashes.has(hash))
    .flatMap(({ total_fees, out_msgs }) => [
      total_fees,
      ...out_msgs.map(({ fwd_fee = 0n, ihr_fee = 0n }) => fwd_fee + ihr_fee),
    ])
    .reduce((sum, fee) => sum + fee, 0n)
}
