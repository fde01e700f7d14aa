import type { RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import { withMetadata } from './address-book.js'
import { classify } from './classify.js'
import { factsOf, hashOf, isMessage } from './facts.js'
import type { Json } from './json.js'
import {
  knownOf,
  namedBlock,
  rootsOf,
  transactionOf,
  transactionsOf,
  transactionsWithMessage,
} from './look-up.js'
import { timedPage } from './page.js'
import { addressesOf, addressOf, flagOf, hashesOf } from './parameters.js'
import type { Answer, Question } from './question.js'
import { writeAction } from './write-action.js'
import { writeTransaction } from './write-transaction.js'

/** A trace as far as a server knows it. */
export interface KnownTrace {
  root: RecordedTransaction
  /** In the order in which they took place; the first is the root. */
  transactions: RecordedTransaction[]
  last: RecordedTransaction
  /** Messages that nobody has received yet, as far as the server knows. */
  pendingMessages: number
}

/** What the index tells of traces. */
export const traceAnswers = {
  async '/traces'(question) {
    const hasActions = flagOf(question.query, 'include_actions')
    return withMetadata(question, { traces: await askedTraces(question, hasActions) })
  },
  async '/events'(question) {
    return withMetadata(question, { events: await askedTraces(question, true) })
  },
  async '/pendingTraces'(question) {
    const traces = []
    for (const trace of pendingTraces(question)) {
      traces.push(await writeTrace(question, trace, false))
    }
    return withMetadata(question, { traces })
  },
} satisfies Record<string, Answer>

async function askedTraces(question: Question, hasActions: boolean): Promise<Json[]> {
  const { query } = question
  const rows = tracesAsked(question).map((trace) => {
    const { lt, now } = trace.last.transaction
    return { row: trace, lt, utime: now, tie: hashOf(trace.root) }
  })
  const written = []
  for (const trace of timedPage(query, rows, { areTiesAlong: true })) {
    written.push(await writeTrace(question, trace, hasActions))
  }
  return written
}

/** The traces of a question's filter, without its bounds of lt and time. @throws {Refusal} 422 for two filters */
export function tracesAsked(question: Question): KnownTrace[] {
  const { query, indexed, isIndexed } = question
  const account = addressOf(query, 'account')
  const [ids, transactions] = [hashesOf(query, 'trace_id'), hashesOf(query, 'tx_hash')]
  const messages = hashesOf(query, 'msg_hash')
  const given = [account === undefined ? [] : [account], ids, transactions, messages]
  if (given.filter(({ length }) => length > 0).length > 1) {
    throw new Refusal(422, 'only one of account, trace_id, tx_hash, msg_hash should be specified')
  }
  const block = namedBlock(question, 'mc_seqno')
  let roots: RecordedTransaction[]
  if (account !== undefined) roots = rootsOf(transactionsOf(question, [account]))
  else if (messages.length > 0) roots = rootsOf(transactionsWithMessage(question, messages))
  else if (transactions.length > 0) roots = rootsOfHashes(question, transactions)
  else if (ids.length > 0) {
    roots = rootsOfHashes(question, ids).filter((root) => ids.includes(hashOf(root)))
  } else roots = rootsOf(indexed)
  return roots
    .filter(isIndexed)
    .map((root) => knownTrace(root, isIndexed))
    .filter(({ last }) => block === undefined || last.seqno === block.seqno)
}

function rootsOfHashes(question: Question, hashes: readonly string[]): RecordedTransaction[] {
  const found = hashes.map((hash) => transactionOf(question, hash))
  return rootsOf(found.filter((one) => one !== undefined))
}

/** The traces that go on in blocks that the index has not read. @throws {Refusal} 422 when it is not told which */
export function pendingTraces({ query, pending, isKept }: Question): KnownTrace[] {
  const accounts = addressesOf(query, 'account')
  const hashes = hashesOf(query, 'ext_msg_hash')
  if (accounts.length === 0 && hashes.length === 0) {
    throw new Refusal(422, 'account or ext_msg_hash is required')
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

/** A trace as far as a server knows it. */
export function knownTrace(
  root: RecordedTransaction,
  isKnown: (one: RecordedTransaction) => boolean,
): KnownTrace {
  const transactions = knownOf(root, isKnown)
  const sent = transactions.flatMap(({ transaction }) =>
    [...transaction.outMessages.values()].filter(({ info }) => info.type === 'internal'),
  )
  return {
    root,
    transactions,
    // The root is one of them.
    last: transactions.at(-1)!,
    pendingMessages: sent.length - (transactions.length - 1),
  }
}

async function writeTrace(
  question: Question,
  trace: KnownTrace,
  hasActions: boolean,
): Promise<Json> {
  const { root, transactions, last, pendingMessages } = trace
  const isComplete = pendingMessages === 0
  const actions = hasActions && isComplete ? await classify(question, trace) : []
  return {
    trace_id: hashOf(root),
    external_hash: root.inMessage === undefined ? null : factsOf(root.inMessage).hash,
    mc_seqno_start: question.isPending(root) ? '0' : root.seqno.toString(),
    mc_seqno_end: question.isPending(last) ? '0' : last.seqno.toString(),
    start_lt: root.transaction.lt.toString(),
    start_utime: root.transaction.now,
    end_lt: last.transaction.lt.toString(),
    end_utime: last.transaction.now,
    trace_info: {
      trace_state: isComplete ? 'complete' : 'pending',
      messages: transactions.length + pendingMessages,
      transactions: transactions.length,
      pending_messages: pendingMessages,
      classification_state: isComplete && question.isIndexed(last) ? 'ok' : 'unclassified',
    },
    is_incomplete: false,
    ...(hasActions && { actions: actions.map((one) => writeAction(trace, one)) }),
    trace: writeNode(root, new Set(transactions)),
    transactions_order: transactions.map(hashOf),
    transactions: Object.fromEntries(
      transactions.map((one) => [hashOf(one), writeTransaction(one, question.isPending(one))]),
    ),
  }
}

function writeNode(one: RecordedTransaction, known: ReadonlySet<RecordedTransaction>): Json {
  return {
    tx_hash: hashOf(one),
    in_msg_hash: one.inMessage === undefined ? null : factsOf(one.inMessage).hash,
    children: one.children
      .filter((child) => known.has(child))
      .map((child) => writeNode(child, known)),
  }
}
