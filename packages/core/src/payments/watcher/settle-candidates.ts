import { unlessNotFound } from '../../toncenter/chain/find-trace.js'
import { ownTransactions, payerMessage } from '../ledger/credit.js'
import type { CreditUse, NewCredit } from '../inbox/inbox-credits.js'
import { attempt } from '../orders/checked-repository.js'
import { orderId } from '../orders/order.js'
import { TOO_OLD_FIELD } from '../orders/order-age.js'
import type { TransferData } from '../orders/payload.js'
import { linkAssigned } from '../engine/link-assigned.js'
import { createTransferReport, paymentClaims } from '../engine/report.js'
import { errorFacts } from '../../shared/error-facts.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import { inChunks } from '../../shared/in-chunks.js'
import { toTransfer } from '../ledger/credited-transfer.js'
import {
  describeCandidate,
  hintsOf,
  matchTrace,
  type CandidateTrace,
  type Match,
  type TraceMatches,
} from './match-trace.js'
import { isTooLarge, readTraceParts } from './proof/trace-parts.js'
import type { IndexedTrace } from './proof/verify-payment.js'
import type { Candidate } from '../../toncenter/follow/retry-queue.js'
import { restoreRefundOf } from './restore-refunds.js'
import type { Run } from './run-state.js'
import { merchantOf } from './unnamed-credits.js'
import { countDecision } from './watch-report.js'

/** Transactions whose orders are looked up together: two calls of the repository for each such group. */
const GROUP = 200
/** Transactions that are retried in one run; each costs a request. */
const RETRIES_PER_RUN = 50
/** Traces in one response; the hashes must fit into the URL of the request. */
const TRACES_PER_REQUEST = 50

/** Errors that one trace of a request can cause. Others concern the whole index. */
const ERRORS_OF_A_TRACE: ReadonlySet<string> = new Set([
  'ERR_TONPLUG_HTTP_STATUS',
  'ERR_TONPLUG_RESPONSE_SHAPE',
  'ERR_TONPLUG_RESPONSE_TOO_LARGE',
  'ERR_TONPLUG_SERVER',
  'ERR_TONPLUG_TIMEOUT',
  'ERR_TONPLUG_VALIDATION',
])

/** Errors of Payments that no report by itself causes. Others leave it stored and undecided: Payments retries it. */
const ERRORS_OF_PAYMENTS: ReadonlySet<string> = new Set([
  'ERR_TONPLUG_CONFIGURATION',
  'ERR_TONPLUG_REPOSITORY',
])

/**
 * Reads the traces of candidates and submits their payments, one after the other. A transaction that cannot be explained
 * is added to the retry queue.
 * @throws what API v3 and the stores throw in an outage.
 */
export async function settleCandidates(run: Run, candidates: readonly Candidate[]): Promise<void> {
  const { seen, looked } = run.memory
  const { retries } = run.progress
  const wanted = candidates.filter(
    ({ txHash }) => !seen.has(txHash) && !looked.has(txHash) && !retries.has(txHash),
  )
  for (const group of inChunks(wanted, GROUP)) await settleGroup(run, group)
}

/** Processes the transactions of the retry queue that are due, each with its own requests. */
export async function settleRetries(run: Run): Promise<void> {
  const { retries } = run.progress
  for (const candidate of retries.due(RETRIES_PER_RUN)) {
    // It may have been part of the trace of another one.
    if (retries.has(candidate.txHash)) await settleGroup(run, [candidate])
  }
}

async function settleGroup(run: Run, group: readonly Candidate[]): Promise<void> {
  const { named, wallets, progress, memory } = run
  const open = new Map(group.map((candidate) => [candidate.txHash, candidate]))
  // Those that fail are deferred at once: an outage ends the run, and the next one continues behind them.
  const defer = (txHash: string): void => {
    const candidate = open.get(txHash)
    if (candidate !== undefined) progress.retries.defer(candidate)
    open.delete(txHash)
  }
  const described: CandidateTrace[] = []
  for (const read of await readTraces(run, group, defer)) {
    try {
      described.push(describeCandidate(read, wallets))
    } catch (error) {
      logNotExplained(run, read, error)
    }
  }
  await named.load(described.flatMap(hintsOf))
  for (const one of described) {
    if (!(await settleTrace(run, one, defer))) continue
    for (const hash of one.trace.transactions_order) {
      open.delete(hash)
      memory.looked.add(hash)
      progress.retries.settle(hash)
    }
  }
  // They are not `looked`, in case the cursor cannot store that they are retried.
  for (const txHash of open.keys()) defer(txHash)
}

/**
 * @param defer called with the transactions of a trace that cannot be stored
 * @returns false when the trace must be processed again.
 */
async function settleTrace(
  run: Run,
  described: CandidateTrace,
  defer: (txHash: string) => void,
): Promise<boolean> {
  const { request, logger, tally, memory, orders, storeFailures } = run
  const { transactions_order: transactions } = described.trace
  let found
  try {
    found = await matchTrace(described, run)
  } catch (error) {
    request.signal?.throwIfAborted()
    logNotExplained(run, described, error)
    return false
  }
  const { matches, unnamed: others, isUnsettled, isPaidWhole, ambiguous } = found
  for (const fitting of ambiguous) {
    tally.ambiguous++
    logger.warn('payment matches several orders and completes none', { orders: fitting })
  }
  try {
    const used = await storeCredits(run, found, transactions)
    for (const match of matches) {
      if (isAssignedElsewhere(run, match)) continue
      await submitOnce(run, match, `${orderId(match)} `)
    }
    for (const unnamed of others) {
      const { credit } = unnamed
      if (memory.assigned.has(credit.id) || used.has(credit.id)) continue
      const message = payerMessage(credit)
      const merchant = merchantOf(unnamed, orders)
      await submitOnce(run, { reference: '', merchant, credit, message, isTooOld: false }, '')
    }
  } catch (error) {
    if (!isTonplugError(error)) throw error
    if (ERRORS_OF_A_TRACE.has(error.code)) {
      logNotExplained(run, described, error)
      return false
    }
    if (error.code !== 'ERR_TONPLUG_REPOSITORY') throw error
    logNotExplained(run, described, error)
    transactions.forEach(defer)
    storeFailures.fail(error)
    return false
  }
  if (isUnsettled) return false
  if (!isPaidWhole) return true
  for (const hash of transactions) memory.seen.add(hash)
  return true
}

function logNotExplained(
  { logger }: Run,
  { trace }: Pick<CandidateTrace, 'trace'>,
  error: unknown,
) {
  const fields = { traceId: trace.trace_id, error: errorFacts(error) }
  logger.error('trace not processed; its transaction is retried', fields)
}

/**
 * Stores credits before they are reported, and links assigned ones: also those that were assigned after they were stored.
 * @returns the ids of the credits without an order that an order of another Payments uses. One that was refunded
 *   before is still reported: the refund may be released.
 */
async function storeCredits(
  { payments, logger, memory: { stored, submitted, assigned } }: Run,
  { credits, unnamed }: TraceMatches,
  transactions: readonly string[],
): Promise<ReadonlySet<string>> {
  const keyOf = ({ id, order }: NewCredit): string =>
    order === undefined ? id : `${orderId(order)} ${id}`
  const added = credits.filter((credit) => !stored.has(keyOf(credit)))
  const { inbox } = payments.internals
  if (added.length > 0) await attempt('inbox.credits.store', () => inbox.credits.store(added))
  const untold = unnamed.map(({ credit }) => credit).filter(({ txHash }) => !submitted.has(txHash))
  const unlinked = [...added, ...untold].filter(({ id }) => !assigned.has(id))
  const linked = await attempt('inbox.credits.claim', () =>
    linkAssigned(inbox, { credits: unlinked, transactions, logger }),
  )
  for (const [id, order] of linked) assigned.set(id, order)
  for (const credit of added) stored.add(keyOf(credit))
  if (untold.length === 0) return new Set()
  const ids = untold.map(({ id }) => id)
  const known = await attempt('inbox.credits.find', () => inbox.credits.find({ ids }))
  const isOfOrder = ({ kind }: CreditUse): boolean => kind === 'order'
  return new Set(known.filter(({ uses }) => uses.some(isOfOrder)).map(({ id }) => id))
}

/** Returns true for a match that another order uses, to which an operator has assigned the money. */
function isAssignedElsewhere({ payments, memory }: Run, match: Match): boolean {
  const user = memory.assigned.get(match.credit.id)
  if (user === undefined) return false
  return user.name !== payments.name || orderId(user) !== orderId(match)
}

/** @param order identifies the order among the orders of the transaction */
async function submitOnce(
  run: Run,
  { reference, merchant, credit, message, isTooOld }: Match,
  order: string,
): Promise<void> {
  const { submitted } = run.memory
  const key = `${order}${credit.txHash}${isTooOld ? ' old' : ''}`
  if (submitted.has(key)) return
  const claimed = { credits: [credit.id], transactions: ownTransactions(credit, message) }
  const report = { merchant, source: 'chain', payments: paymentClaims(claimed) } as const
  const age = isTooOld && { [TOO_OLD_FIELD]: true }
  const transfer = toTransfer(reference, { credit, message })
  await restoreRefundOf(run, { credit, merchant, transfer })
  await submitOne(run, { ...transfer, ...age }, report)
  run.storeFailures.succeed()
  submitted.add(key)
}

/** Submits one transfer to Payments. */
export async function submitOne(
  { payments, tally, decided, logger }: Run,
  transfer: TransferData,
  found: Parameters<typeof createTransferReport>[1],
): Promise<void> {
  const { reference, txHash } = transfer
  const { merchant = '' } = found
  try {
    countDecision(tally, await payments.submit(createTransferReport(transfer, found)))
  } catch (error) {
    // The report is stored, and Payments retries the rule, or the look for a late refund.
    if (!isTonplugError(error) || ERRORS_OF_PAYMENTS.has(error.code)) throw error
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

/**
 * Reads the traces of transactions. A request that fails is divided until the trace that causes the failure is alone.
 * @param defer called with a transaction whose trace is not readable
 * @returns the traces that the index has and that can be read.
 * @throws {TonplugError} when the index fails for other reasons, or for too many requests in a row.
 */
async function readTraces(
  run: Run,
  candidates: readonly Candidate[],
  defer: (txHash: string) => void,
): Promise<IndexedTrace[]> {
  const found: IndexedTrace[] = []
  const known = new Set<string>()
  for (const part of inChunks(candidates, TRACES_PER_REQUEST)) {
    // Other transactions of a trace need no further request.
    const wanted = part.flatMap(({ txHash }) => (known.has(txHash) ? [] : txHash))
    for (const one of await readPart(run, wanted, defer)) {
      found.push(one)
      for (const hash of one.trace.transactions_order) known.add(hash)
    }
  }
  return found
}

async function readPart(
  run: Run,
  hashes: readonly string[],
  defer: (txHash: string) => void,
): Promise<IndexedTrace[]> {
  const [txHash] = hashes
  if (txHash === undefined) return []
  const { request, logger, indexFailures } = run
  try {
    const read = await readTracesWith(run, hashes)
    indexFailures.succeed()
    return read
  } catch (error) {
    request.signal?.throwIfAborted()
    if (!isTonplugError(error) || !ERRORS_OF_A_TRACE.has(error.code)) throw error
    if (hashes.length === 1) {
      const facts = { txHash, error: errorFacts(error) }
      logger.warn('trace not readable; the transaction is retried', facts)
      defer(txHash)
    }
    indexFailures.fail(error)
    if (hashes.length === 1) return []
  }
  const middle = Math.ceil(hashes.length / 2)
  const first = await readPart(run, hashes.slice(0, middle), defer)
  return [...first, ...(await readPart(run, hashes.slice(middle), defer))]
}

/** Returns the traces of transactions. Of a trace that is too large, returns the part that holds them. */
async function readTracesWith(
  { v3, request }: Run,
  hashes: readonly string[],
): Promise<IndexedTrace[]> {
  const only = { tx_hash: [...hashes], limit: TRACES_PER_REQUEST } as const
  let found
  try {
    const read = v3.traces({ ...only, include_actions: true, sort: 'asc' }, request)
    found = await unlessNotFound(read)
  } catch (error) {
    const isTooLong = isTonplugError(error) && error.code === 'ERR_TONPLUG_RESPONSE_TOO_LARGE'
    if (!isTooLong || hashes.length > 1) throw error
    const parts = await readTraceParts(v3, { large: [], hashes }, request)
    return parts.map((trace) => ({ trace }))
  }
  const { traces = [], metadata } = found ?? {}
  const large = traces.filter(isTooLarge)
  const whole = traces.filter((trace) => !large.includes(trace))
  const known = new Set(whole.flatMap(({ transactions_order }) => transactions_order))
  const missing = hashes.filter((hash) => !known.has(hash))
  const parts =
    large.length === 0 ? [] : await readTraceParts(v3, { large, hashes: missing }, request)
  return [...whole, ...parts].map((trace) => ({ trace, metadata }))
}
