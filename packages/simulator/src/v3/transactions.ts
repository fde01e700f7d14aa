import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { withAddressBook } from './address-book.js'
import { factsOf, hashOf, isMessage, type MessageFacts } from './facts.js'
import type { Json } from './json.js'
import {
  namedBlock,
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
import type { RequestHandler, V3Request } from './request.js'
import { WHOLE_SHARD } from './write-block-ref.js'
import { writeTransaction } from './write-transaction.js'

/** The endpoints for transactions. */
export const transactionHandlers = {
  '/transactions'(request) {
    const { query } = request
    const hashes = hashesOf(query, 'hash')
    const lt = bigintOf(query, 'lt')
    const found = findTransactions(request, hashes, lt)
    // The order of the real index: by hash, or by lt regardless of `sort`.
    if (hashes.length > 0) return ordered(request, found, hashOf)
    if (lt !== undefined) return ordered(request, found, accountKey)
    return writeTransactions(request, timedPage(query, found.map(placeTransaction)))
  },
  '/transactionsByMasterchainBlock'(request) {
    const { query } = request
    const block = namedBlock(request, 'seqno')
    if (block === undefined) throw new HttpError(404, 'masterchain block 0 not found')
    return writeTransactions(request, timedPage(query, block.transactions.map(placeTransaction)))
  },
  '/transactionsByMessage'(request) {
    const { query, indexed } = request
    const matches = messageFilter(query)
    const [hashes, bodies] = [hashesOf(query, 'msg_hash'), hashesOf(query, 'body_hash')]
    const rows =
      hashes.length > 0
        ? transactionsWithMessage(request, hashes)
        : bodies.length > 0
          ? transactionsWithBody(request, bodies)
          : indexed
    const opcode = opcodeOf(query)
    const direction = opcode === undefined ? directionOf(query) : 'in'
    const found = rows.filter(({ inMessage, outMessages }) => {
      const received = inMessage === undefined || direction === 'out' ? [] : [inMessage]
      return [...received, ...(direction === 'in' ? [] : outMessages)].map(factsOf).some(matches)
    })
    return writeTransactions(request, timedPage(query, found.map(placeTransaction)))
  },
  '/adjacentTransactions'(request) {
    const { query, isIndexed } = request
    const [hash] = hashesOf(query, 'hash')
    if (hash === undefined) throw new HttpError(422, 'hash is required')
    const direction = directionOf(query)
    const one = transactionOf(request, hash)
    const parents = one?.parent === undefined || direction === 'out' ? [] : [one.parent]
    const near = [...parents, ...(direction === 'in' ? [] : (one?.children ?? []))]
    const found = near.filter(isIndexed)
    if (found.length === 0) throw new HttpError(404, 'adjacent transactions not found')
    return writeTransactions(request, found)
  },
  '/pendingTransactions'(request) {
    const accounts = addressesOf(request.query, 'account')
    if (accounts.length === 0) throw new HttpError(422, 'account is required')
    return writeTransactions(request, transactionsOf(request, accounts, request.isPending))
  },
} satisfies Record<string, RequestHandler>

function findTransactions(
  request: V3Request,
  hashes: readonly string[],
  lt: bigint | undefined,
): readonly RecordedTransaction[] {
  const { query, indexed } = request
  const accounts = addressesOf(query, 'account')
  const [workchain, shard] = [integerOf(query, 'workchain'), shardOf(query)]
  const [seqno, block] = [integerOf(query, 'seqno'), namedBlock(request, 'mc_seqno')]
  // Validated and ignored, as in the real index.
  addressesOf(query, 'exclude_account')
  const isWithin = withinBounds(query)
  let rows: readonly RecordedTransaction[] = indexed
  if (hashes.length > 0) rows = transactionsOfHashes(request, hashes)
  else if (block !== undefined) rows = block.transactions
  else if (accounts.length > 0) rows = transactionsOf(request, accounts, request.isIndexed)
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
  request: V3Request,
  hashes: readonly string[],
): RecordedTransaction[] {
  const found = hashes.map((hash) => transactionOf(request, hash))
  return [...new Set(found)].filter((one) => one !== undefined)
}

function ordered(
  request: V3Request,
  rows: readonly RecordedTransaction[],
  keyOf: (one: RecordedTransaction) => string,
): Promise<Json> {
  const sorted = rows.toSorted((one, other) => compareValues(keyOf(one), keyOf(other)))
  return writeTransactions(request, pageOf(request.query, sorted, 500))
}

/** Returns a filter for the messages of a request. @throws {HttpError} 422 without a criterion */
function messageFilter(query: URLSearchParams): (facts: MessageFacts) => boolean {
  const [hashes, bodies] = [hashesOf(query, 'msg_hash'), hashesOf(query, 'body_hash')]
  const opcode = opcodeOf(query)
  if (hashes.length + bodies.length === 0 && opcode === undefined) {
    throw new HttpError(422, 'at least one of msg_hash, body_hash, opcode should be specified')
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
  request: V3Request,
  rows: readonly RecordedTransaction[],
): Promise<Json> {
  const { isPending } = request
  const transactions = rows.map((one) => writeTransaction(one, isPending(one)))
  return withAddressBook(request, { transactions })
}
