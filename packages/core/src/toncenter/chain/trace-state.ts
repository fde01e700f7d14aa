import type { V3Trace, V3Transaction } from '../v3/generated/types.js'

type TraceNode = NonNullable<V3Trace['trace']>

/**
 * Progress of a message. `unseen`: the index does not have it. `pending`: part of its trace is emulated. `confirmed`: the
 * whole trace is in blocks that are not final yet. `landed`: its first transaction is in a final block, and the trace
 * continues. `finalized`: the whole trace is in final blocks, and the index has returned all of it. Before `landed`, a
 * message can return to `unseen`.
 */
export type MessageStatus = 'unseen' | 'pending' | 'confirmed' | 'landed' | 'finalized'

/** Returns the transactions of a trace in chronological order. The first one received the external message. */
export function transactionsOf(trace: V3Trace): V3Transaction[] {
  const found = Object.values(trace.transactions ?? {})
  // Some servers have them only in the tree.
  const transactions =
    found.length > 0 ? found : nodesOf(trace).flatMap(({ transaction }) => transaction ?? [])
  const places = new Map(trace.transactions_order.map((hash, index) => [hash, index]))
  const placeOf = ({ hash }: V3Transaction): number => places.get(hash) ?? places.size
  const compareLt = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
  const inOrder = transactions.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || compareLt(one.lt, other.lt),
  )
  const first = inOrder.findIndex(({ hash }) => hash === trace.trace?.tx_hash)
  const root = first > 0 ? inOrder.splice(first, 1) : []
  return [...root, ...inOrder]
}

/** Returns the nodes of the tree. Not recursive, since the tree of a long trace is deep. */
function nodesOf({ trace: root }: V3Trace): TraceNode[] {
  const found: TraceNode[] = []
  const nodes = root === undefined ? [] : [root]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    found.push(node)
    nodes.push(...node.children)
  }
  return found
}

/** Returns true if the trace has each transaction that its count, its order and its tree refer to. */
export function hasAllTransactions(trace: V3Trace): boolean {
  const transactions = transactionsOf(trace)
  const hashes = new Set(transactions.map(({ hash }) => hash))
  const referenced = [...trace.transactions_order, ...nodesOf(trace).map(({ tx_hash }) => tx_hash)]
  return (
    transactions.length >= trace.trace_info.transactions &&
    referenced.every((hash) => hash === undefined || hashes.has(hash))
  )
}

/** Returns true if the trace has ended. A trace that the index could not assemble does not change either. */
export function isEnded({ trace_info }: V3Trace): boolean {
  if (trace_info.trace_state === 'broken') return true
  return trace_info.trace_state !== 'pending' && trace_info.pending_messages === 0
}

/**
 * Returns true if no later response has more of the trace: it has ended, and all of its transactions are there. A trace
 * that is too large for a response, or broken, stays as it is.
 */
function isSettled(trace: V3Trace): boolean {
  const cannotGrow = trace.is_incomplete === true || trace.trace_info.trace_state === 'broken'
  return isEnded(trace) && (cannotGrow || hasAllTransactions(trace))
}

/**
 * Returns the status of a trace.
 * @param isPendingTrace `true` for a result of `pendingTraces`, in which nothing is final
 */
export function statusOf(
  trace: V3Trace,
  isPendingTrace: boolean,
): Exclude<MessageStatus, 'unseen'> {
  const finalities = transactionsOf(trace).map((one) => finalityOf(one, isPendingTrace))
  const isConfirmed = !finalities.includes('pending') && isSettled(trace)
  if (isPendingTrace) return finalities.length > 0 && isConfirmed ? 'confirmed' : 'pending'
  const isFinal = finalities.every((one) => one === 'finalized')
  if (isFinal && isSettled(trace)) return 'finalized'
  // A trace that is too large for a response has no transactions, and is not pending.
  if (finalities[0] === undefined || finalities[0] === 'finalized') return 'landed'
  return isConfirmed ? 'confirmed' : 'pending'
}

/** Servers before mid-2026 do not report it. */
function finalityOf({ finality, emulated }: V3Transaction, isPendingTrace: boolean): string {
  return finality ?? (isPendingTrace || emulated === true ? 'pending' : 'finalized')
}

/** Returns true if the whole trace is in final blocks. */
export function isFinalTrace(trace: V3Trace): boolean {
  const transactions = transactionsOf(trace)
  return hasAllTransactions(trace) && transactions.length > 0 && transactions.every(isFinal)
}

/** Servers before mid-2026 do not report it, but a transaction without a block has no `mc_block_seqno`. */
function isFinal({ finality, emulated, mc_block_seqno: seqno = 0 }: V3Transaction): boolean {
  return finality === undefined ? emulated !== true && seqno > 0 : finality === 'finalized'
}
