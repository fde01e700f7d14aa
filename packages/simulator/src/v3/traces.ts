import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { withMetadata } from './address-book.js'
import { classify } from './classify.js'
import { factsOf, hashOf, isMessage } from './facts.js'
import type { Json } from './json.js'
import {
  namedBlock,
  rootsOf,
  transactionOf,
  transactionsOf,
  transactionsWithMessage,
} from './look-up.js'
import { knownTrace, type KnownTrace } from './known-trace.js'
import { timedPage } from './page.js'
import { addressesOf, addressOf, flagOf, hashesOf } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'
import { writeAction } from './write-action.js'
import { writeTransaction } from './write-transaction.js'

/** The endpoints for traces. */
export const traceHandlers = {
  async '/traces'(request) {
    const hasActions = flagOf(request.query, 'include_actions')
    return withMetadata(request, { traces: await requestedTraces(request, hasActions) })
  },
  async '/events'(request) {
    return withMetadata(request, { events: await requestedTraces(request, true) })
  },
  async '/pendingTraces'(request) {
    const traces = []
    for (const trace of pendingTraces(request)) {
      traces.push(await writeTrace(request, trace, false))
    }
    return withMetadata(request, { traces })
  },
} satisfies Record<string, RequestHandler>

async function requestedTraces(request: V3Request, hasActions: boolean): Promise<Json[]> {
  const { query } = request
  const rows = tracesRequested(request).map((trace) => {
    const { lt, now } = trace.last.transaction
    return { row: trace, lt, utime: now, tie: hashOf(trace.root) }
  })
  const written = []
  for (const trace of timedPage(query, rows, { areTiesAlong: true })) {
    written.push(await writeTrace(request, trace, hasActions))
  }
  return written
}

/**
 * Returns the traces that match a request, without its bounds of lt and time. @throws {HttpError} 422 for two filters
 */
export function tracesRequested(request: V3Request): KnownTrace[] {
  const { query, indexed, isIndexed } = request
  const account = addressOf(query, 'account')
  const [ids, transactions] = [hashesOf(query, 'trace_id'), hashesOf(query, 'tx_hash')]
  const messages = hashesOf(query, 'msg_hash')
  const given = [account === undefined ? [] : [account], ids, transactions, messages]
  if (given.filter(({ length }) => length > 0).length > 1) {
    throw new HttpError(422, 'only one of account, trace_id, tx_hash, msg_hash should be specified')
  }
  const block = namedBlock(request, 'mc_seqno')
  let roots: RecordedTransaction[]
  if (account !== undefined) roots = rootsOf(transactionsOf(request, [account], request.isIndexed))
  else if (messages.length > 0) roots = rootsOf(transactionsWithMessage(request, messages))
  else if (transactions.length > 0) roots = rootsOfHashes(request, transactions)
  else if (ids.length > 0) {
    roots = rootsOfHashes(request, ids).filter((root) => ids.includes(hashOf(root)))
  } else roots = rootsOf(indexed)
  return roots
    .filter(isIndexed)
    .map((root) => knownTrace(root, isIndexed))
    .filter(({ last }) => block === undefined || last.seqno === block.seqno)
}

function rootsOfHashes(request: V3Request, hashes: readonly string[]): RecordedTransaction[] {
  const found = hashes.map((hash) => transactionOf(request, hash))
  return rootsOf(found.filter((one) => one !== undefined))
}

/** Returns the traces that continue in blocks that are not indexed yet. @throws {HttpError} 422 without a filter */
export function pendingTraces({ query, pending, isKept }: V3Request): KnownTrace[] {
  const accounts = addressesOf(query, 'account')
  const hashes = hashesOf(query, 'ext_msg_hash')
  if (accounts.length === 0 && hashes.length === 0) {
    throw new HttpError(422, 'account or ext_msg_hash is required')
  }
  return rootsOf(pending)
    .filter(isKept)
    .map((root) => knownTrace(root, isKept))
    .filter(
      ({ root: { inMessage }, transactions }) =>
        (inMessage !== undefined && hashes.some((hash) => isMessage(factsOf(inMessage), hash))) ||
        transactions.some(({ address }) => accounts.some((one) => one.equals(address))),
    )
}

async function writeTrace(
  request: V3Request,
  trace: KnownTrace,
  hasActions: boolean,
): Promise<Json> {
  const { root, transactions, last, pendingMessages } = trace
  const isComplete = pendingMessages === 0
  const isClassified = isComplete && request.indexesJettons
  const actions = hasActions && isClassified ? await classify(request, trace) : []
  return {
    trace_id: hashOf(root),
    external_hash: root.inMessage === undefined ? null : factsOf(root.inMessage).hash,
    mc_seqno_start: request.isPending(root) ? '0' : root.seqno.toString(),
    mc_seqno_end: request.isPending(last) ? '0' : last.seqno.toString(),
    start_lt: root.transaction.lt.toString(),
    start_utime: root.transaction.now,
    end_lt: last.transaction.lt.toString(),
    end_utime: last.transaction.now,
    trace_info: {
      trace_state: isComplete ? 'complete' : 'pending',
      messages: transactions.length + pendingMessages,
      transactions: transactions.length,
      pending_messages: pendingMessages,
      classification_state: isClassified && request.isIndexed(last) ? 'ok' : 'unclassified',
    },
    is_incomplete: false,
    ...(hasActions && { actions: actions.map((one) => writeAction(trace, one)) }),
    trace: writeNode(root, new Set(transactions)),
    transactions_order: transactions.map(hashOf),
    transactions: Object.fromEntries(
      transactions.map((one) => [hashOf(one), writeTransaction(one, request.isPending(one))]),
    ),
  }
}

/** Writes the node of a transaction and those below it. */
export function writeNode(one: RecordedTransaction, known: ReadonlySet<RecordedTransaction>): Json {
  return {
    tx_hash: hashOf(one),
    in_msg_hash: one.inMessage === undefined ? null : factsOf(one.inMessage).hash,
    children: one.children
      .filter((child) => known.has(child))
      .map((child) => writeNode(child, known)),
  }
}
