import type { Address } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import type { ChainBlock } from '../chain/block.js'
import { rootOf, withDescendants, type RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import type { Contract } from './contracts.js'
import { factsOf, type MessageFacts } from './facts.js'
import { integerOf } from './parameters.js'
import type { V3Request } from './request.js'

// All searches in the chain are in this file.

/** Returns the block of a parameter. @throws {HttpError} 404 when it is not indexed */
export function namedBlock({ query, blocks }: V3Request, name: string): ChainBlock | undefined {
  const seqno = integerOf(query, name)
  if (seqno === undefined) return undefined
  const found = blocks[seqno - blocks[0]!.seqno]
  if (found === undefined) throw new HttpError(404, `masterchain block ${seqno} not found`)
  return found
}

/** Returns the transaction with a hash. */
export function transactionOf(
  { chain, isIndexed }: V3Request,
  hash: string,
): RecordedTransaction | undefined {
  const found = chain.index.byHash(hash)
  return found !== undefined && isIndexed(found) ? found : undefined
}

/** Returns the transactions of accounts, indexed or pending; of each account, the oldest first. */
export function transactionsOf(
  { chain }: V3Request,
  accounts: readonly Address[],
  isWanted: (one: RecordedTransaction) => boolean,
): RecordedTransaction[] {
  const once = new Map(accounts.map((account) => [account.toRawString(), account]))
  return [...once.values()].flatMap((account) => chain.index.ofAccount(account).filter(isWanted))
}

/** Returns the transactions with a message that has one of these hashes or normalized hashes. */
export function transactionsWithMessage(
  { chain, isIndexed }: V3Request,
  hashes: readonly string[],
): RecordedTransaction[] {
  return [...new Set(hashes.flatMap((hash) => chain.index.byMessage(hash)))].filter(isIndexed)
}

/** Returns the transactions with a message whose body has one of these hashes. */
export function transactionsWithBody(
  { chain, isIndexed }: V3Request,
  hashes: readonly string[],
): RecordedTransaction[] {
  return [...new Set(hashes.flatMap((hash) => chain.index.byBody(hash)))].filter(isIndexed)
}

/** Returns the newest transaction of an account. */
export function lastOf(
  { chain, isIndexed }: V3Request,
  address: Address,
): RecordedTransaction | undefined {
  return chain.index.ofAccount(address).findLast(isIndexed)
}

/** Returns the indexed state of an account; undefined when it is not indexed. */
export async function accountOf(
  request: V3Request,
  address: Address,
): Promise<AccountView | undefined> {
  const last = lastOf(request, address)
  if (last !== undefined) return last.after
  const { chain, isPending } = request
  const next = chain.index.ofAccount(address).find(isPending)
  // The chain may have discarded all transactions of the account.
  const view = next?.before ?? (await chain.account(address))
  return view.status === 'nonexist' ? undefined : view
}

/** Returns the contract of an account; undefined when its kind is unknown. */
export async function contractAt(
  request: V3Request,
  address: Address,
): Promise<Contract | undefined> {
  const view = await accountOf(request, address)
  return view && request.contracts.contractOf(address, view)
}

/** Returns the distinct accounts that have an indexed transaction. */
export function accountsOf({ indexed }: V3Request): Address[] {
  return [...new Map(indexed.map(({ address }) => [address.toRawString(), address])).values()]
}

/** Returns the distinct root transactions of traces. */
export function rootsOf(rows: readonly RecordedTransaction[]): RecordedTransaction[] {
  return [...new Set(rows.map(rootOf))]
}

/** Returns the known transactions of a trace, in order of execution. */
export function knownOf(
  root: RecordedTransaction,
  isKnown: (one: RecordedTransaction) => boolean,
): RecordedTransaction[] {
  return withDescendants(root)
    .filter(isKnown)
    .toSorted((one, other) => (one.transaction.lt < other.transaction.lt ? -1 : 1))
}

/** A message and the transactions that sent and received it. */
export interface LinkedMessage {
  facts: MessageFacts
  sender: RecordedTransaction | undefined
  receiver: RecordedTransaction | undefined
}

/** Returns the distinct messages of transactions. */
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
