import type { RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import { withAddressBook } from './address-book.js'
import { factsOf, hashOf, isMessage, type MessageFacts } from './facts.js'
import type { Json } from './json.js'
import {
  namedBlock,
  pendingOf,
  transactionOf,
  transactionsOf,
  transactionsWithBody,
  transactionsWithMessage,
} from './look-up.js'
import { compareValues, pageOf, timedPage, withinBounds, type PlacedRow } from './page.js'
import {
  addressesOf,
  bigintOf,
  directionOf,
  hashesOf,
  integerOf,
  opcodeOf,
  shardOf,
} from './parameters.js'
import type { Answer, Question } from './question.js'
import { WHOLE_SHARD } from './write-block-ref.js'
import { writeTransaction } from './write-transaction.js'

/** What the index tells of transactions. */
export const transactionAnswers = {
  '/transactions'(question) {
    const { query } = question
    const hashes = hashesOf(query, 'hash')
    const lt = bigintOf(query, 'lt')
    const found = asked(question, hashes, lt)
    // The order of the index: by hash, or by lt whatever `sort` says.
    if (hashes.length > 0) return ordered(question, found, hashOf)
    if (lt !== undefined) return ordered(question, found, accountKey)
    return writeTransactions(question, timedPage(query, found.map(placeTransaction)))
  },
  '/transactionsByMasterchainBlock'(question) {
    const { query } = question
    const block = namedBlock(question, 'seqno')
    if (block === undefined) throw new Refusal(404, 'masterchain block 0 not found')
    return writeTransactions(question, timedPage(query, block.transactions.map(placeTransaction)))
  },
  '/transactionsByMessage'(question) {
    const { query, indexed } = question
    const isAsked = messageFilter(query)
    const [hashes, bodies] = [hashesOf(query, 'msg_hash'), hashesOf(query, 'body_hash')]
    const rows =
      hashes.length > 0
        ? transactionsWithMessage(question, hashes)
        : bodies.length > 0
          ? transactionsWithBody(question, bodies)
          : indexed
    const opcode = opcodeOf(query)
    const direction = opcode === undefined ? directionOf(query) : 'in'
    const found = rows.filter(({ inMessage, outMessages }) => {
      const received = inMessage === undefined || direction === 'out' ? [] : [inMessage]
      return [...received, ...(direction === 'in' ? [] : outMessages)].map(factsOf).some(isAsked)
    })
    return writeTransactions(question, timedPage(query, found.map(placeTransaction)))
  },
  '/adjacentTransactions'(question) {
    const { query, isIndexed } = question
    const [hash] = hashesOf(query, 'hash')
    if (hash === undefined) throw new Refusal(422, 'hash is required')
    const direction = directionOf(query)
    const one = transactionOf(question, hash)
    const parents = one?.parent === undefined || direction === 'out' ? [] : [one.parent]
    const near = [...parents, ...(direction === 'in' ? [] : (one?.children ?? []))]
    const found = near.filter(isIndexed)
    if (found.length === 0) throw new Refusal(404, 'adjacent transactions not found')
    return writeTransactions(question, found)
  },
  '/pendingTransactions'(question) {
    const accounts = addressesOf(question.query, 'account')
    if (accounts.length === 0) throw new Refusal(422, 'account is required')
    return writeTransactions(question, pendingOf(question, accounts))
  },
} satisfies Record<string, Answer>

function asked(
  question: Question,
  hashes: readonly string[],
  lt: bigint | undefined,
): readonly RecordedTransaction[] {
  const { query, indexed } = question
  const accounts = addressesOf(query, 'account')
  const [workchain, shard] = [integerOf(query, 'workchain'), shardOf(query)]
  const [seqno, block] = [integerOf(query, 'seqno'), namedBlock(question, 'mc_seqno')]
  // It is read, and not looked at.
  addressesOf(query, 'exclude_account')
  const isWithin = withinBounds(query)
  let rows: readonly RecordedTransaction[] = indexed
  if (hashes.length > 0) rows = transactionsOfHashes(question, hashes)
  else if (block !== undefined) rows = block.transactions
  else if (accounts.length > 0) rows = transactionsOf(question, accounts)
  return rows.filter(
    (one) =>
      (workchain === undefined || one.address.workChain === workchain) &&
      (shard === undefined || shard === BigInt(`0x${WHOLE_SHARD}`)) &&
      (seqno === undefined || one.seqno === seqno) &&
      (block === undefined || one.seqno === block.seqno) &&
      (accounts.length === 0 || accounts.some((account) => account.equals(one.address))) &&
      (lt === undefined || one.transaction.lt === lt) &&
      isWithin({ lt: one.transaction.lt, utime: one.transaction.now }),
  )
}

function transactionsOfHashes(
  question: Question,
  hashes: readonly string[],
): RecordedTransaction[] {
  const found = hashes.map((hash) => transactionOf(question, hash))
  return [...new Set(found)].filter((one) => one !== undefined)
}

function ordered(
  question: Question,
  rows: readonly RecordedTransaction[],
  keyOf: (one: RecordedTransaction) => string,
): Promise<Json> {
  const sorted = rows.toSorted((one, other) => compareValues(keyOf(one), keyOf(other)))
  return writeTransactions(question, pageOf(question.query, sorted, 500))
}

/** Whether a message is one of those that a question is about. @throws {Refusal} 422 when it names none */
function messageFilter(query: URLSearchParams): (facts: MessageFacts) => boolean {
  const [hashes, bodies] = [hashesOf(query, 'msg_hash'), hashesOf(query, 'body_hash')]
  const opcode = opcodeOf(query)
  if (hashes.length + bodies.length === 0 && opcode === undefined) {
    throw new Refusal(422, 'at least one of msg_hash, body_hash, opcode should be specified')
  }
  const [sources, destinations] = [addressesOf(query, 'source'), addressesOf(query, 'destination')]
  return (facts) =>
    (hashes.length === 0 || hashes.some((hash) => isMessage(facts, hash))) &&
    (bodies.length === 0 || bodies.includes(facts.bodyHash)) &&
    (opcode === undefined || facts.opcode === opcode) &&
    (sources.length === 0 || sources.some((one) => facts.source?.equals(one))) &&
    (destinations.length === 0 || destinations.some((one) => facts.destination?.equals(one)))
}

function accountKey({ address }: RecordedTransaction): string {
  return address.toRawString()
}

function placeTransaction(one: RecordedTransaction): PlacedRow<RecordedTransaction> {
  const { lt, now } = one.transaction
  return { row: one, lt, utime: now, tie: accountKey(one) }
}

function writeTransactions(
  question: Question,
  rows: readonly RecordedTransaction[],
): Promise<Json> {
  const { isPending } = question
  const transactions = rows.map((one) => writeTransaction(one, isPending(one)))
  return withAddressBook(question, { transactions })
}
