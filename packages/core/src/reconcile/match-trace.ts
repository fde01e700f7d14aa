import { canonicalAddress } from '../address/address.js'
import { describeTrace, type TraceDescription } from '../onchain/describe-trace.js'
import type { TraceMetadata } from '../onchain/look-for-trace.js'
import type { TraceMessage } from '../onchain/trace-messages.js'
import { transactionsOf } from '../onchain/trace-transactions.js'
import { NATIVE_ASSET } from '../orders/asset.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { ClosedOrders } from './closed-orders.js'
import { readCredit, type Credit } from './credit.js'
import { amountKey, readBodyHash, type OpenOrders, type WatchedOrder } from './open-orders.js'

/** A payment and the order that it names. */
interface Match {
  reference: string
  credit: Credit
}

/** What a trace means for orders. */
export interface TraceMatches {
  matches: Match[]
  /** What it says is not final, or not all of it: look again later. */
  isUnsettled: boolean
  /** References of orders among which a payment does not choose. */
  ambiguous: string[][]
}

/** The payments of a trace for the orders that they name. */
export async function matchTrace(
  { trace, metadata }: { trace: Trace; metadata?: TraceMetadata | undefined },
  orders: OpenOrders,
  closed: ClosedOrders,
): Promise<TraceMatches> {
  const told = describeTrace(trace, { metadata })
  const found: TraceMatches = { matches: [], isUnsettled: false, ambiguous: [] }
  if (!isSettled(trace, told)) return { ...found, isUnsettled: true }
  for (const message of told.messages) {
    if (message.isBounced) continue
    const credits: Credit[] = []
    const named: WatchedOrder[] = []
    for (const order of await ordersOf(message, told, orders, closed)) {
      for (const recipient of order.recipients) {
        const credit = readCredit(trace, told, { message, recipient })
        if (credit === 'unsettled') found.isUnsettled = true
        if (credit === undefined || credit === 'unsettled') continue
        credits.push(credit)
        named.push(order)
        break
      }
    }
    const [order] = named
    const [credit] = credits
    if (order === undefined || credit === undefined) continue
    if (named.length > 1) found.ambiguous.push(named.map(({ reference }) => reference))
    else found.matches.push({ reference: order.reference, credit })
  }
  return found
}

/** Nothing more can happen in it, and all of it is told. */
function isSettled(trace: Trace, { isComplete, isFinal }: TraceDescription): boolean {
  const isTold = trace.trace_info.trace_state !== 'broken' && trace.is_incomplete !== true
  return isComplete && isFinal && isTold && transactionsOf(trace).length > 0
}

/** The body tells a payment best, then the comment; where nothing else does, the amount. */
async function ordersOf(
  message: TraceMessage,
  told: TraceDescription,
  orders: OpenOrders,
  closed: ClosedOrders,
): Promise<readonly WatchedOrder[]> {
  const body = readBodyHash(message.bodyHash)
  const transfer = told.transfers.find(({ hash }) => hash === message.hash)
  const { comment } = transfer ?? {}
  const open =
    (body === undefined ? undefined : orders.byBody.get(body)) ??
    (comment === undefined ? undefined : orders.byComment.get(comment))
  if (open !== undefined) return open
  const other = await closed.find({ bodyHash: body, comment })
  if (other !== undefined) return [other]
  const key = keyOf(transfer)
  const named = key === undefined ? [] : (orders.byAmount.get(key) ?? [])
  // An order that came after the money asks for other money.
  return named.filter(({ createdMs = 0 }) => createdMs <= told.utime * 1000 + 999)
}

function keyOf(transfer: TraceDescription['transfers'][number] | undefined): string | undefined {
  if (transfer?.recipient === undefined || transfer.kind === 'nft') return undefined
  const recipient = canonicalAddress(transfer.recipient)
  const { amount: rawAmount } = transfer
  if (transfer.kind === 'native') return amountKey({ recipient, asset: NATIVE_ASSET, rawAmount })
  const { jetton } = transfer
  return jetton && amountKey({ recipient, asset: canonicalAddress(jetton), rawAmount })
}
