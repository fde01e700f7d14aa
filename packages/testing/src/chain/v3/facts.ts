import { loadMessage, type Address, type Cell, type Message } from '@ton/core'
import { normalizedHash } from '../message-hash.js'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { base64Hash } from '../spellings.js'

/** What a message is found by. */
export interface MessageFacts {
  cell: Cell
  message: Message
  hash: string
  /** The same as `hash` but for messages from outside. */
  normalizedHash: string
  bodyHash: string
  /** Undefined when the body has fewer than 32 bits. */
  opcode: number | undefined
  source: Address | undefined
  destination: Address | undefined
  /** Null for messages from outside. */
  lt: bigint | null
  /** Unix seconds; null for messages from outside. */
  utime: number | null
}

// They do not change, and go with what they are about.
const hashes = new WeakMap<RecordedTransaction, string>()
const messages = new WeakMap<Cell, MessageFacts>()

/** The hash of a transaction, in base64. */
export function hashOf(one: RecordedTransaction): string {
  const known = hashes.get(one)
  if (known !== undefined) return known
  const hash = base64Hash(one.transaction.hash())
  hashes.set(one, hash)
  return hash
}

/** What a message is found by. */
export function factsOf(cell: Cell): MessageFacts {
  const known = messages.get(cell)
  if (known !== undefined) return known
  const message = loadMessage(cell.beginParse())
  const { info, body } = message
  const slice = body.beginParse()
  const isFromOutside = info.type === 'external-in'
  const hash = base64Hash(cell.hash())
  const facts: MessageFacts = {
    cell,
    message,
    hash,
    normalizedHash: isFromOutside ? base64Hash(normalizedHash(cell)) : hash,
    bodyHash: base64Hash(body.hash()),
    opcode: slice.remainingBits < 32 ? undefined : slice.preloadUint(32),
    source: isFromOutside ? undefined : info.src,
    destination: info.type === 'external-out' ? undefined : info.dest,
    lt: isFromOutside ? null : info.createdLt,
    utime: isFromOutside ? null : info.createdAt,
  }
  messages.set(cell, facts)
  return facts
}

/** Whether a message is the one of a hash, as it is or normalised. */
export function isMessage(facts: MessageFacts, hash: string): boolean {
  return facts.hash === hash || facts.normalizedHash === hash
}
