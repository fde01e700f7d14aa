import { isTonplugError } from '../shared/tonplug-error.js'
import { orderId } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { createTransferReport, paymentClaims } from '../payments/report.js'
import type { JettonWallets } from './proof/jetton-wallets.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import { toTransfer, type Credit } from './read-credit.js'
import { merchantOf } from './unnamed-credits.js'
import type { FailureLimit } from './failure-limit.js'
import { inChunks } from './in-chunks.js'
import { describeCandidate, matchTrace, type DescribedTrace } from './match-trace.js'
import type { NamedOrders } from './named-orders.js'
import type { OpenOrders, WatchedKey } from './open-orders.js'
import type { WatchingPayments } from './options.js'
import { readTraces, type ReadTrace } from './read-traces.js'
import type { Tally } from './watch-report.js'
import type { RetryQueue } from './retry-queue.js'
import type { Candidate, ScanOptions, WatchReader } from './scan.js'

/** Transactions whose orders are looked up together: two calls of the repository for each such group. */
const GROUP = 200
/** Transactions that are retried in one run; each costs a request. */
const RETRIES_PER_RUN = 50

/** Dependencies of deciding candidates. */
export interface SettleCandidatesOptions {
  payments: Pick<WatchingPayments, 'submit'>
  v3: WatchReader
  isThorough: ScanOptions['isThorough']
  jettonWallets: JettonWallets
  orders: OpenOrders
  /** The scanned wallets, canonical. */
  wallets: ReadonlySet<string>
  named: NamedOrders
  retries: RetryQueue
  indexFailures: FailureLimit
  storeFailures: FailureLimit
  tally: Tally
  logger: Logger
  request: RequestOptions
  /** Transactions whose payments were submitted; kept across runs. */
  seen: Set<string>
  /** Transactions that were submitted because they name no order. An order may be stored later, so they are read again. */
  unnamed: Set<string>
  /** Time of the newest block, Unix seconds. */
  head: number
  /** Transactions that this scan, or one since the last thorough scan, has processed. */
  looked: Set<string>
  /** Keys of {@link orderId} of orders whose transfers were submitted. */
  decided: Set<string>
}

/**
 * Reads the traces of candidates and submits their payments, one after the other. A transaction that cannot be explained
 * is added to the retry queue.
 * @throws what API v3 and the stores throw in an outage.
 */
export async function settleCandidates(
  options: SettleCandidatesOptions,
  candidates: readonly Candidate[],
): Promise<void> {
  const { seen, looked, retries } = options
  const wanted = candidates.filter(
    ({ txHash }) => !seen.has(txHash) && !looked.has(txHash) && !retries.has(txHash),
  )
  for (const group of inChunks(wanted, GROUP)) await settleGroup(options, group)
}

/** Processes the transactions of the retry queue that are due, each with its own requests. */
export async function settleRetries(options: SettleCandidatesOptions): Promise<void> {
  for (const candidate of options.retries.due(RETRIES_PER_RUN)) {
    // It may have been part of the trace of another one.
    if (options.retries.has(candidate.txHash)) await settleGroup(options, [candidate])
  }
}

async function settleGroup(
  options: SettleCandidatesOptions,
  group: readonly Candidate[],
): Promise<void> {
  const { named, retries, looked } = options
  const read = await readTraces(options, group)
  const described = read.flatMap((one) => describe(options, one) ?? [])
  const hints = described.flatMap(({ messages }) => messages.map(({ hint }) => hint))
  await named.load(hints)
  const settled = new Set<string>()
  for (const one of described) {
    if (!(await settleTrace(options, one))) continue
    for (const hash of one.trace.transactions_order) {
      settled.add(hash)
      looked.add(hash)
      retries.settle(hash)
    }
  }
  for (const candidate of group) {
    looked.add(candidate.txHash)
    if (!settled.has(candidate.txHash)) retries.defer(candidate)
  }
}

function describe(
  { wallets, logger }: SettleCandidatesOptions,
  read: ReadTrace,
): DescribedTrace | undefined {
  try {
    return describeCandidate(read, wallets)
  } catch (error) {
    logNotExplained(logger, read, error)
    return undefined
  }
}

/** @returns false when the trace must be processed again. */
async function settleTrace(
  options: SettleCandidatesOptions,
  described: DescribedTrace,
): Promise<boolean> {
  const { request, logger, seen, storeFailures } = options
  const { trace } = described
  let found
  try {
    found = await matchTrace(described, options)
  } catch (error) {
    request.signal?.throwIfAborted()
    logNotExplained(logger, described, error)
    return false
  }
  const { matches, unnamed, isUnsettled, ambiguous } = found
  for (const orders of ambiguous) reportAmbiguous(options, orders)
  try {
    for (const { reference, merchant, credit } of matches) {
      const report = { merchant, source: 'chain', payments: paymentClaims(credit) } as const
      await submitOne(options, toTransfer(reference, credit), report)
      storeFailures.succeed()
    }
    for (const credit of unnamed) await submitUnnamed(options, credit)
  } catch (error) {
    if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_REPOSITORY') throw error
    logNotExplained(logger, described, error)
    storeFailures.fail(error)
    return false
  }
  if (isUnsettled) return false
  if (matches.length > 0) for (const hash of trace.transactions_order) seen.add(hash)
  return true
}

function logNotExplained(logger: Logger, { trace }: { trace: ReadTrace['trace'] }, error: unknown) {
  const fields = { traceId: trace.trace_id, error: errorFacts(error) }
  logger.error('trace not processed; its transaction is retried', fields)
}

/** Submits a transfer without an order, once. */
async function submitUnnamed(options: SettleCandidatesOptions, credit: Credit): Promise<void> {
  const { unnamed, storeFailures, orders } = options
  if (unnamed.has(credit.txHash)) return
  const merchant = merchantOf(credit, orders)
  const report = { merchant, source: 'chain', payments: paymentClaims(credit) } as const
  await submitOne(options, toTransfer('', credit), report)
  storeFailures.succeed()
  unnamed.add(credit.txHash)
}

/** Submits one transfer to Payments. */
export async function submitOne(
  {
    payments,
    tally,
    decided,
    logger,
  }: Pick<SettleCandidatesOptions, 'payments' | 'tally' | 'decided' | 'logger'>,
  transfer: TransferData,
  found: Parameters<typeof createTransferReport>[1],
): Promise<void> {
  const { reference, txHash } = transfer
  const { merchant = '' } = found
  try {
    tally.count(await payments.submit(createTransferReport(transfer, found)))
  } catch (error) {
    // The report is stored, and Payments retries the rule.
    if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_RULE') throw error
    tally.failed++
    logger.error('found payment not decided; it is retried', {
      reference,
      ...(merchant !== '' && { merchant }),
      txHash,
      error: errorFacts(error),
    })
  }
  decided.add(orderId({ reference, merchant }))
}

function reportAmbiguous(
  { tally, logger }: SettleCandidatesOptions,
  orders: readonly WatchedKey[],
): void {
  tally.ambiguous++
  logger.warn('payment matches several orders and completes none', { orders })
}
