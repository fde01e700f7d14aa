import type { Address } from '@ton/core'
import type { AccountView } from '../account-view.js'
import type { ChainBlock } from '../chain.js'
import { rootOf, withDescendants, type RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import { factsOf, hashOf, isMessage, messagesOf, type MessageFacts } from './facts.js'
import type { Contract } from './contracts.js'
import { integerOf } from './parameters.js'
import type { Question } from './question.js'

// All that is searched for in the chain is searched for here.

/** The block that a question names by `seqno` or `mc_seqno`. @throws {Refusal} 404 when the index does not have it */
export function namedBlock({ query, blocks }: Question, name: string): ChainBlock | undefined {
  const seqno = integerOf(query, name)
  if (seqno === undefined) return undefined
  const found = blocks.find((block) => block.seqno === seqno)
  if (found === undefined) throw new Refusal(404, `masterchain block ${seqno} not found`)
  return found
}

/** The transaction of a hash. */
export function transactionOf(
  { indexed }: Question,
  hash: string,
): RecordedTransaction | undefined {
  return indexed.find((one) => hashOf(one) === hash)
}

/** The transactions of accounts, the oldest first. */
export function transactionsOf(
  rows: readonly RecordedTransaction[],
  accounts: readonly Address[],
): readonly RecordedTransaction[] {
  return rows.filter(({ address }) => accounts.some((account) => account.equals(address)))
}

/** The newest transaction of an account. */
export function lastOf({ indexed }: Question, address: Address): RecordedTransaction | undefined {
  return indexed.findLast((one) => one.address.equals(address))
}

/** An account as the index has it; undefined when it has never seen it. */
export async function accountOf(
  question: Question,
  address: Address,
): Promise<AccountView | undefined> {
  const { chain, pending } = question
  const last = lastOf(question, address)
  if (last !== undefined) return last.after
  const next = pending.find((one) => one.address.equals(address))
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

/** Every account that the index has seen, once. */
export function accountsOf({ indexed }: Question): Address[] {
  return [...new Map(indexed.map(({ address }) => [address.toRawString(), address])).values()]
}

/** The first transactions of the traces that some transactions are of, once each. */
export function rootsOf(rows: readonly RecordedTransaction[]): RecordedTransaction[] {
  return [...new Set(rows.map(rootOf))]
}

/** The first transactions of the traces that have one of these messages, by either hash. */
export function rootsWithMessage(
  rows: readonly RecordedTransaction[],
  wanted: readonly string[],
): RecordedTransaction[] {
  return rootsOf(
    rows.filter((one) =>
      messagesOf(one).some((facts) => wanted.some((hash) => isMessage(facts, hash))),
    ),
  )
}

/** The transactions of a trace that a server knows of, in the order in which they took place. */
export function knownOf(
  root: RecordedTransaction,
  known: ReadonlySet<RecordedTransaction>,
): RecordedTransaction[] {
  return withDescendants(root)
    .filter((one) => known.has(one))
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
