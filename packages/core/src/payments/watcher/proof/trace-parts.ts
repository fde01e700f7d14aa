import { transactionsOf } from '../../../toncenter/chain/trace-state.js'
import { isInternal } from '../../../toncenter/chain/trace-messages.js'
import type { RequestOptions } from '../../../toncenter/transport/call-options.js'
import type { V3Client } from '../../../toncenter/v3/client.js'
import type { V3Trace, V3Transaction } from '../../../toncenter/v3/generated/types.js'
import { inChunks } from '../../../shared/in-chunks.js'

/** The methods of a client of API v3 that read a part of a trace. */
export type PartReader = Pick<V3Client, 'transactions' | 'messages'>

/** Hashes in one request; they must fit into its URL. */
const HASHES_PER_REQUEST = 50
/** Transactions that follow from the wanted ones. A payment has three: a credit, its notification, the excess. */
const MOST_FOLLOWING = 500
/** Messages on the way to a payment. */
const LONGEST_ROUTE = 50

/** Returns true for a trace that the index refuses for its size: it returns no transactions, at no later time. */
export function isTooLarge(trace: V3Trace): boolean {
  return trace.is_incomplete === true && transactionsOf(trace).length === 0
}

/** The transactions of a part by their hashes. */
interface Part {
  transactions: Map<string, V3Transaction>
  /** False while a transaction on the way, or one that follows, is missing. */
  isWhole: boolean
}

/**
 * Reads the parts of traces that hold some transactions: the way to each of them from the first transaction of the trace,
 * and all that follows from it. Every other payment of the trace is left out. A part with a missing transaction is
 * incomplete, like a trace with one.
 * @param large the traces as the index returned them, without transactions
 * @param hashes in base64
 * @throws what the client throws.
 */
export async function readTraceParts(
  v3: PartReader,
  { large, hashes }: { large: readonly V3Trace[]; hashes: readonly string[] },
  request: RequestOptions,
): Promise<V3Trace[]> {
  const wanted = await transactionsWith(v3, hashes, request)
  const traceIds = new Set(wanted.map(({ trace_id }) => trace_id))
  const parts: V3Trace[] = []
  for (const traceId of traceIds) {
    const rows = wanted.filter(({ trace_id }) => trace_id === traceId)
    const part: Part = { transactions: new Map(rows.map((one) => [one.hash, one])), isWhole: true }
    await addFollowing(v3, part, request)
    await addBefore(v3, part, request)
    const header = large.find(({ trace_id }) => trace_id === traceId)
    parts.push(toTrace({ ...part, traceId, header }))
  }
  return parts
}

async function addBefore(v3: PartReader, part: Part, request: RequestOptions): Promise<void> {
  for (let steps = 0; steps < LONGEST_ROUTE; steps++) {
    const sent = new Set([...part.transactions.values()].flatMap(sentBy))
    const unsent = [...part.transactions.values()]
      .flatMap(({ in_msg }) => in_msg ?? [])
      .filter((message) => isInternal(message) && !sent.has(message.hash))
    if (unsent.length === 0) return
    const added = await addSides(v3, part, { hashes: unsent.map(({ hash }) => hash), request })
    if (!added) break
  }
  part.isWhole = false
}

async function addFollowing(v3: PartReader, part: Part, request: RequestOptions): Promise<void> {
  let latest = [...part.transactions.values()]
  const atMost = latest.length + MOST_FOLLOWING
  for (let steps = 0; steps < LONGEST_ROUTE; steps++) {
    const received = receivedIn(part)
    const open = latest.flatMap(sentBy).filter((hash) => !received.has(hash))
    if (open.length === 0) return
    const isTooMuch = part.transactions.size + open.length > atMost
    const known = new Set(part.transactions.keys())
    if (isTooMuch || !(await addSides(v3, part, { hashes: open, request }))) break
    if (open.some((hash) => !receivedIn(part).has(hash))) break
    latest = [...part.transactions.values()].filter(({ hash }) => !known.has(hash))
  }
  part.isWhole = false
}

/** Adds the transactions that sent and received messages. @returns false if all of them were known */
async function addSides(
  v3: PartReader,
  { transactions }: Part,
  { hashes, request }: { hashes: readonly string[]; request: RequestOptions },
): Promise<boolean> {
  const missing = new Set<string>()
  for (const msg_hash of inChunks(hashes, HASHES_PER_REQUEST)) {
    // A message has a row for each of its sides.
    const limit = 2 * msg_hash.length
    const { messages } = await v3.messages({ msg_hash, limit }, request)
    for (const { in_msg_tx_hash: to = '', out_msg_tx_hash: from = '' } of messages) {
      for (const hash of [to, from]) if (hash !== '' && !transactions.has(hash)) missing.add(hash)
    }
  }
  const found = await transactionsWith(v3, [...missing], request)
  for (const one of found) transactions.set(one.hash, one)
  return found.length > 0
}

async function transactionsWith(
  { transactions }: PartReader,
  hashes: readonly string[],
  request: RequestOptions,
): Promise<V3Transaction[]> {
  const found: V3Transaction[] = []
  for (const hash of inChunks(hashes, HASHES_PER_REQUEST)) {
    found.push(...(await transactions({ hash, limit: hash.length }, request)).transactions)
  }
  return found
}

function sentBy({ out_msgs }: V3Transaction): string[] {
  return out_msgs.filter(isInternal).map(({ hash }) => hash)
}

function receivedIn({ transactions }: Part): Set<string> {
  return new Set([...transactions.values()].flatMap(({ in_msg }) => in_msg?.hash ?? []))
}

/** Returns a part as a trace of its own. The state of the whole trace, if it is known, is its state. */
function toTrace({
  transactions,
  isWhole,
  traceId,
  header,
}: Part & { traceId: string | undefined; header: V3Trace | undefined }): V3Trace {
  const inOrder = [...transactions.values()].toSorted((one, other) => (one.lt < other.lt ? -1 : 1))
  const [first] = inOrder
  const count = inOrder.length
  const info = { trace_state: 'complete', pending_messages: 0, ...header?.trace_info }
  return {
    trace_id: traceId,
    external_hash: header?.external_hash ?? first?.in_msg?.hash,
    start_lt: first?.lt ?? 0n,
    start_utime: first?.now ?? 0,
    trace_info: { ...info, messages: count, transactions: isWhole ? count : count + 1 },
    transactions_order: inOrder.map(({ hash }) => hash),
    transactions: Object.fromEntries(inOrder.map((one) => [one.hash, one])),
  }
}
