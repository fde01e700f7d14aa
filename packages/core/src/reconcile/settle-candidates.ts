import { isTonplugError } from '../errors/tonplug-error.js'
import type { FoundTransfer, FoundTransferTaker } from '../inbox/settle-found.js'
import type { Decision } from '../orders/decision.js'
import { errorFacts } from '../runtime/error-facts.js'
import type { Logger } from '../runtime/logger.js'
import type { RequestOptions } from '../transport/options.js'
import type { ClosedOrders } from './closed-orders.js'
import { toTransfer } from './credit.js'
import { matchTrace } from './match-trace.js'
import type { OpenOrders } from './open-orders.js'
import type { Tally } from './report.js'
import type { Candidate, ReconcileReader } from './scan.js'

/** Traces in one answer; their hashes have to fit the address of a request. */
const BATCH = 50
/** Longer than that nothing waits to be final. */
const LONGEST_HOLD_SECONDS = 86_400

/** What deciding candidates works with. */
export interface SettleCandidatesOptions {
  receiver: FoundTransferTaker
  v3: ReconcileReader
  orders: OpenOrders
  closed: ClosedOrders
  tally: Tally
  logger: Logger
  request: RequestOptions
  /** Transactions that need no second look. */
  seen: Set<string>
  /** Transactions that this run has looked at. */
  looked: Set<string>
  /** References of orders that were decided. */
  decided: Set<string>
  /** The newest block of the index, Unix seconds. */
  head: number
}

/**
 * Reads the traces of candidates and hands their payments to the receiver, one after the other.
 * @returns since when something is unsettled, Unix seconds; `Infinity` when all is settled.
 * @throws what API v3 and the stores throw.
 */
export async function settleCandidates(
  options: SettleCandidatesOptions,
  candidates: readonly Candidate[],
): Promise<number> {
  let holdAt = Infinity
  let batch: Candidate[] = []
  for (const [index, candidate] of candidates.entries()) {
    // Meanwhile it may have been seen as a part of another one's trace.
    const { txHash } = candidate
    if (!options.seen.has(txHash) && !options.looked.has(txHash)) batch.push(candidate)
    if (batch.length < BATCH && index < candidates.length - 1) continue
    if (batch.length > 0) holdAt = Math.min(holdAt, await settleBatch(options, batch))
    batch = []
  }
  return holdAt
}

async function settleBatch(
  options: SettleCandidatesOptions,
  batch: readonly Candidate[],
): Promise<number> {
  const { v3, orders, closed, tally, seen, looked, head, request } = options
  const wanted = { tx_hash: batch.map(({ txHash }) => txHash), include_actions: true } as const
  const { traces, metadata } = await readTraces(v3, wanted, request)
  for (const { txHash } of batch) looked.add(txHash)
  const settled = new Set<string>()
  for (const trace of traces) {
    const { matches, isUnsettled, ambiguous } = await matchTrace(
      { trace, metadata },
      orders,
      closed,
    )
    for (const references of ambiguous) reportAmbiguous(options, references)
    for (const { reference, credit } of matches) {
      const transfer = toTransfer(reference, credit)
      await settleOne(options, { transfer, foundBy: 'chain', credits: credit.credits })
    }
    if (isUnsettled) continue
    for (const hash of trace.transactions_order) {
      settled.add(hash)
      looked.add(hash)
      if (matches.length > 0) seen.add(hash)
    }
  }
  const left = batch.filter(({ txHash }) => !settled.has(txHash))
  tally.unsettled += left.length
  const held = left.filter(({ utime }) => utime > head - LONGEST_HOLD_SECONDS)
  if (held.length < left.length) {
    options.logger.error('the index does not tell the traces of payments that are a day old', {
      transactions: left.flatMap((one) => (held.includes(one) ? [] : one.txHash)),
    })
  }
  return held.reduce((first, { utime }) => Math.min(first, utime), Infinity)
}

/** Some servers say 404 where there is none yet. */
async function readTraces(
  v3: ReconcileReader,
  wanted: { tx_hash: string[]; include_actions: true },
  request: RequestOptions,
) {
  try {
    return await v3.traces({ ...wanted, limit: BATCH, sort: 'asc' }, request)
  } catch (error) {
    if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_NOT_FOUND') throw error
    return { traces: [], metadata: undefined }
  }
}

/** Hands one payment to the receiver. @returns the decision, if there is one. */
export async function settleOne(
  { receiver, tally, decided, logger }: Omit<SettleCandidatesOptions, 'v3' | 'closed'>,
  found: FoundTransfer,
): Promise<Decision | undefined> {
  const { reference, txHash } = found.transfer
  let decision: Decision | undefined
  try {
    decision = await receiver.settleFound(found)
  } catch (error) {
    // A rule of the shop's own: it is in the inbox, and tried again there.
    if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_RULE') throw error
    tally.failed++
    logger.error('a payment that was found could not be judged', {
      reference,
      txHash,
      error: errorFacts(error),
    })
    return undefined
  }
  if (decision === undefined) {
    tally.ambiguous++
    logger.warn('a payment names an order and has paid another one', { reference, txHash })
    return undefined
  }
  decided.add(reference)
  tally.count(decision)
  return decision
}

function reportAmbiguous({ tally, logger }: SettleCandidatesOptions, references: string[]): void {
  tally.ambiguous++
  logger.warn('a payment names several open orders, and is given to none', { references })
}
