import type { Address, Cell } from '@ton/core'
import { normalizedHash } from './message-hash.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import { base64Hash } from '../shared/encodings.js'

/** An index of the kept transactions. Hashes are in standard base64. */
export interface TransactionIndex {
  /** Returns the transactions of an account, oldest first. */
  ofAccount(address: Address): readonly RecordedTransaction[]
  byHash(hash: string): RecordedTransaction | undefined
  /** Returns the transactions that sent or received a message with this hash or normalized hash; the sender first. */
  byMessage(hash: string): readonly RecordedTransaction[]
  /** Returns the transactions that sent or received a message whose body has this hash; oldest first. */
  byBody(hash: string): readonly RecordedTransaction[]
}

/** An index that adds new transactions and removes the oldest ones. */
export class MutableTransactionIndex implements TransactionIndex {
  readonly #accounts = new Map<string, RecordedTransaction[]>()
  readonly #hashes = new Map<string, RecordedTransaction>()
  readonly #messages = new Map<string, RecordedTransaction[]>()
  readonly #bodies = new Map<string, RecordedTransaction[]>()

  ofAccount(address: Address): readonly RecordedTransaction[] {
    return this.#accounts.get(address.toRawString()) ?? []
  }

  byHash(hash: string): RecordedTransaction | undefined {
    return this.#hashes.get(hash)
  }

  byMessage(hash: string): readonly RecordedTransaction[] {
    return this.#messages.get(hash) ?? []
  }

  byBody(hash: string): readonly RecordedTransaction[] {
    return this.#bodies.get(hash) ?? []
  }

  add(one: RecordedTransaction): void {
    this.#hashes.set(hashOf(one), one)
    append(this.#accounts, one.address.toRawString(), one)
    for (const hash of messageHashes(one)) append(this.#messages, hash, one)
    for (const hash of bodyHashes(one)) append(this.#bodies, hash, one)
  }

  /** @param one the oldest transaction */
  remove(one: RecordedTransaction): void {
    this.#hashes.delete(hashOf(one))
    removeFirst(this.#accounts, one.address.toRawString(), one)
    for (const hash of messageHashes(one)) removeFirst(this.#messages, hash, one)
    for (const hash of bodyHashes(one)) removeFirst(this.#bodies, hash, one)
  }

  clear(): void {
    for (const map of [this.#accounts, this.#hashes, this.#messages, this.#bodies]) map.clear()
  }
}

type Lists = Map<string, RecordedTransaction[]>

function append(lists: Lists, key: string, one: RecordedTransaction): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

function removeFirst(lists: Lists, key: string, one: RecordedTransaction): void {
  const list = lists.get(key)
  // The oldest transaction is the first one of each of its lists.
  if (list?.[0] === one) list.shift()
  if (list?.length === 0) lists.delete(key)
}

function hashOf({ transaction }: RecordedTransaction): string {
  return base64Hash(transaction.hash())
}

function messageHashes({ inMessage, outMessages }: RecordedTransaction): Set<string> {
  const cells: Cell[] = inMessage === undefined ? outMessages : [inMessage, ...outMessages]
  return new Set(cells.flatMap((cell) => [cell.hash(), normalizedHash(cell)]).map(base64Hash))
}

function bodyHashes({ transaction }: RecordedTransaction): Set<string> {
  const { inMessage, outMessages } = transaction
  const bodies = [...outMessages.values()].map(({ body }) => body)
  if (inMessage) bodies.push(inMessage.body)
  return new Set(bodies.map((body) => base64Hash(body.hash())))
}
