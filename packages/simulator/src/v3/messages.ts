import type { Address } from '@ton/core'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { withMetadata } from './address-book.js'
import { hashOf, isMessage } from './facts.js'
import type { Json } from './json.js'
import {
  linkedMessages,
  transactionsWithBody,
  transactionsWithMessage,
  type LinkedMessage,
} from './look-up.js'
import { timedPage } from './page.js'
import { addressOf, directionOf, flagOf, hashesOf, opcodeOf } from './parameters.js'
import type { RequestHandler } from './request.js'
import { writeMessage } from './write-message.js'

/** The endpoint for messages. */
export const messageHandlers = {
  '/messages'(request) {
    const { query, indexed } = request
    const hashes = hashesOf(query, 'msg_hash', 'hash')
    const bodies = hashesOf(query, 'body_hash')
    let transactions: readonly RecordedTransaction[] = indexed
    if (hashes.length > 0) transactions = transactionsWithMessage(request, hashes)
    else if (bodies.length > 0) transactions = transactionsWithBody(request, bodies)
    const rows = linkedMessages(transactions).filter(messageFilter(query))
    const shown = timedPage(
      query,
      rows.map((row) => {
        const { lt, utime, hash } = row.facts
        return { row, lt, utime, tie: hash }
      }),
      { areTiesAlong: true },
    )
    return withMetadata(request, { messages: shown.map(writeRow) })
  },
} satisfies Record<string, RequestHandler>

function messageFilter(query: URLSearchParams): (row: LinkedMessage) => boolean {
  const [hashes, bodies] = [hashesOf(query, 'msg_hash', 'hash'), hashesOf(query, 'body_hash')]
  const opcode = opcodeOf(query)
  const direction = directionOf(query)
  const matchesSource = sideFilter(query, 'source')
  const matchesDestination = sideFilter(query, 'destination')
  const hasNoExternals = flagOf(query, 'exclude_externals')
  const hasOnlyExternals = flagOf(query, 'only_externals')
  return ({ facts, sender, receiver }) => {
    const isInternal = facts.message.info.type === 'internal'
    return (
      (hashes.length === 0 || hashes.some((hash) => isMessage(facts, hash))) &&
      (bodies.length === 0 || bodies.includes(facts.bodyHash)) &&
      (opcode === undefined || facts.opcode === opcode) &&
      (direction !== 'in' || receiver !== undefined) &&
      (direction !== 'out' || sender !== undefined) &&
      (!hasNoExternals || isInternal) &&
      (!hasOnlyExternals || !isInternal) &&
      matchesSource(facts.source) &&
      matchesDestination(facts.destination)
    )
  }
}

/** Matches an address; `null` matches external messages. */
function sideFilter(
  query: URLSearchParams,
  name: 'source' | 'destination',
): (address: Address | undefined) => boolean {
  if (query.get(name) === null) return () => true
  if (query.get(name) === 'null') return (address) => address === undefined
  const wanted = addressOf(query, name)
  return (address) => wanted !== undefined && address?.equals(wanted) === true
}

function writeRow({ facts, sender, receiver }: LinkedMessage): Json {
  return {
    ...writeMessage(facts.cell),
    ...(receiver && { in_msg_tx_hash: hashOf(receiver) }),
    ...(sender && { out_msg_tx_hash: hashOf(sender) }),
  }
}
