import { loadMessage, type Address, type Cell, type Message } from '@ton/core'
import { normalizedHash } from '../chain/message-hash.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { base64Hash } from '../shared/encodings.js'

/** The searchable facts of a message. */
export interface MessageFacts {
  cell: Cell
  message: Message
  hash: string
  /** Differs from `hash` for external messages only. */
  normalizedHash: string
  bodyHash: string
  /** Undefined when the body has fewer than 32 bits. */
  opcode: number | undefined
  source: Address | undefined
  destination: Address | undefined
  /** Null for external messages. */
  lt: bigint | null
  /** Unix seconds; null for external messages. */
  utime: number | null
}

// Computed once for each transaction and message.
const hashes = new WeakMap<RecordedTransaction, string>()
const messages = new WeakMap<Cell, MessageFacts>()

/** Returns the hash of a transaction in base64. */
export function hashOf(one: RecordedTransaction): string {
  const known = hashes.get(one)
  if (known !== undefined) return known
  const hash = base64Hash(one.transaction.hash())
  hashes.set(one, hash)
  return hash
}

/** Returns the searchable facts of a message. */
export function factsOf(cell: Cell): MessageFacts {
  const known = messages.get(cell)
  if (known !== undefined) return known
  const message = loadMessage(cell.beginParse())
  const { info, body } = message
  const slice = body.beginParse()
  const isExternal = info.type === 'external-in'
  const hash = base64Hash(cell.hash())
  const facts: MessageFacts = {
    cell,
    message,
    hash,
    normalizedHash: isExternal ? base64Hash(normalizedHash(cell)) : hash,
    bodyHash: base64Hash(body.hash()),
    opcode: slice.remainingBits < 32 ? undefined : slice.preloadUint(32),
    source: isExternal ? undefined : info.src,
    destination: info.type === 'external-out' ? undefined : info.dest,
    lt: isExternal ? null : info.createdLt,
    utime: isExternal ? null : info.createdAt,
  }
  messages.set(cell, facts)
  return facts
}

/** Compares a hash with the hash and the normalized hash of a message. */
export function isMessage(facts: MessageFacts, hash: string): boolean {
  return facts.hash === hash || facts.normalizedHash === hash
}
