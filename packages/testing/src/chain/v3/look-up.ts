import type { Address } from '@ton/core'
import type { AccountView } from '../account-view.js'
import type { ChainBlock } from '../block.js'
import { rootOf, withDescendants, type RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import type { Contract } from './contracts.js'
import { factsOf, type MessageFacts } from './facts.js'
import { integerOf } from './parameters.js'
import type { Question } from './question.js'

// All that is searched for in the chain is searched for here.

/** The block that a question names. @throws {Refusal} 404 when the index does not have it */
export function namedBlock({ query, blocks }: Question, name: string): ChainBlock | undefined {
  const seqno = integerOf(query, name)
  if (seqno === undefined) return undefined
  const found = blocks[seqno - blocks[0]!.seqno]
  if (found === undefined) throw new Refusal(404, `masterchain block ${seqno} not found`)
  return found
}

/** The transaction of a hash. */
export function transactionOf(
  { chain, isIndexed }: Question,
  hash: string,
): RecordedTransaction | undefined {
  const found = chain.index.byHash(hash)
  return found !== undefined && isIndexed(found) ? found : undefined
}

/** The transactions of accounts; those of each account the oldest first. */
export function transactionsOf(
  { chain, isIndexed }: Question,
  accounts: readonly Address[],
): RecordedTransaction[] {
  const once = new Map(accounts.map((account) => [account.toRawString(), account]))
  return [...once.values()].flatMap((account) => chain.index.ofAccount(account).filter(isIndexed))
}

/** What accounts did in blocks that the index has not read. */
export function pendingOf(
  { chain, isPending }: Question,
  accounts: readonly Address[],
): RecordedTransaction[] {
  const once = new Map(accounts.map((account) => [account.toRawString(), account]))
  return [...once.values()].flatMap((account) => chain.index.ofAccount(account).filter(isPending))
}

/** The transactions that have a message of one of these hashes, as it is or normalised. */
export function transactionsWithMessage(
  { chain, isIndexed }: Question,
  hashes: readonly string[],
): RecordedTransaction[] {
  return [...new Set(hashes.flatMap((hash) => chain.index.byMessage(hash)))].filter(isIndexed)
}

/** The transactions that have a message of which the body has one of these hashes. */
export function transactionsWithBody(
  { chain, isIndexed }: Question,
  hashes: readonly string[],
): RecordedTransaction[] {
  return [...new Set(hashes.flatMap((hash) => chain.index.byBody(hash)))].filter(isIndexed)
}

/** The newest transaction of an account. */
export function lastOf(
  { chain, isIndexed }: Question,
  address: Address,
): RecordedTransaction | undefined {
  return chain.index.ofAccount(address).findLast(isIndexed)
}

/** An account as the index has it; undefined when it has never seen it. */
export async function accountOf(
  question: Question,
  address: Address,
): Promise<AccountView | undefined> {
  const last = lastOf(question, address)
  if (last !== undefined) return last.after
  const { chain, isPending } = question
  const next = chain.index.ofAccount(address).find(isPending)
  // All of its transactions may have fallen out of the chain.
  const view = next?.before ?? (await chain.account(address))
  return view.status === 'nonexist' ? undefined : view
}

/** What the contract of an account is; undefined where the index knows nothing of it. */
export async function contractAt(
  question: Question,
  address: Address,
): Promise<Contract | undefined> {
  const view = await accountOf(question, address)
  return view && question.contracts.contractOf(address, view)
}

/** Every account that has a transaction in the index, once. */
export function accountsOf({ indexed }: Question): Address[] {
  return [...new Map(indexed.map(({ address }) => [address.toRawString(), address])).values()]
}

/** The first transactions of the traces that some transactions are of, once each. */
export function rootsOf(rows: readonly RecordedTransaction[]): RecordedTransaction[] {
  return [...new Set(rows.map(rootOf))]
}

/** Which transactions of a trace a server knows of, in the order in which they took place. */
export function knownOf(
  root: RecordedTransaction,
  isKnown: (one: RecordedTransaction) => boolean,
): RecordedTransaction[] {
  return withDescendants(root)
    .filter(isKnown)
    .toSorted((one, other) => (one.transaction.lt < other.transaction.lt ? -1 : 1))
}

/** A message, and the transactions that it links. */
export interface LinkedMessage {
  facts: MessageFacts
  sender: RecordedTransaction | undefined
  receiver: RecordedTransaction | undefined
}

/** All messages of transactions, once each. */
export function linkedMessages(rows: readonly RecordedTransaction[]): LinkedMessage[] {
  const linked = new Map<string, LinkedMessage>()
  for (const one of rows) {
    for (const cell of one.outMessages) {
      const facts = factsOf(cell)
      linked.set(facts.hash, { facts, sender: one, receiver: linked.get(facts.hash)?.receiver })
    }
    if (one.inMessage === undefined) continue
    const facts = factsOf(one.inMessage)
    linked.set(facts.hash, { facts, receiver: one, sender: linked.get(facts.hash)?.sender })
  }
  return [...linked.values()]
}
