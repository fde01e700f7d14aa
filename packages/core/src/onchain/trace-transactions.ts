import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'

type TraceNode = NonNullable<Trace['trace']>

/** The transactions of a trace in the order in which they took place, from the one that received the message. */
export function transactionsOf(trace: Trace): Transaction[] {
  const found = Object.values(trace.transactions ?? {})
  // Some servers have them in the tree alone.
  const transactions = found.length > 0 ? found : transactionsOfTree(trace)
  const places = new Map(trace.transactions_order.map((hash, index) => [hash, index]))
  const placeOf = ({ hash }: Transaction): number => places.get(hash) ?? places.size
  const compareLt = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
  const inOrder = transactions.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || compareLt(one.lt, other.lt),
  )
  const first = inOrder.findIndex(({ hash }) => hash === trace.trace?.tx_hash)
  const root = first > 0 ? inOrder.splice(first, 1) : []
  return [...root, ...inOrder]
}

function transactionsOfTree(trace: Trace): Transaction[] {
  return nodesOf(trace).flatMap(({ transaction }) => transaction ?? [])
}

/** A long trace is a deep tree: it is walked without recursion. */
function nodesOf({ trace: root }: Trace): TraceNode[] {
  const found: TraceNode[] = []
  const nodes = root === undefined ? [] : [root]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    found.push(node)
    nodes.push(...node.children)
  }
  return found
}

/** Whether an answer has each transaction that it counts, and that it names in the order or the tree. */
export function hasAllTransactions(trace: Trace): boolean {
  const transactions = transactionsOf(trace)
  const hashes = new Set(transactions.map(({ hash }) => hash))
  const named = [...trace.transactions_order, ...nodesOf(trace).map(({ tx_hash }) => tx_hash)]
  return (
    transactions.length >= trace.trace_info.transactions &&
    named.every((hash) => hash === undefined || hashes.has(hash))
  )
}

/**
 * Whether it is no use to look again: nothing more can happen in the trace, and the index is not behind with what has.
 * Of one that is too large for an answer, or broken, no later answer tells more.
 */
export function isSettled(trace: Trace): boolean {
  const tellsNoMore = trace.is_incomplete === true || trace.trace_info.trace_state === 'broken'
  return isEnded(trace) && (tellsNoMore || hasAllTransactions(trace))
}

/** Whether nothing more can happen in a trace. One that the index could not put together does not change either. */
export function isEnded({ trace_info }: Trace): boolean {
  if (trace_info.trace_state === 'broken') return true
  return trace_info.trace_state !== 'pending' && trace_info.pending_messages === 0
}
