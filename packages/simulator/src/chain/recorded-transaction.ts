import { Dictionary, type Address, type Cell, type Transaction } from '@ton/core'
import type { AccountView } from './account-view.js'

/** A transaction with the data that the servers return. */
export interface RecordedTransaction {
  address: Address
  transaction: Transaction
  /** The seqno of its masterchain block. */
  seqno: number
  before: AccountView
  after: AccountView
  /** The original cells of its messages, whose hashes must not change. */
  inMessage: Cell | undefined
  outMessages: Cell[]
  parent: RecordedTransaction | undefined
  children: RecordedTransaction[]
}

/** Returns the first transaction of the trace. */
export function rootOf(one: RecordedTransaction): RecordedTransaction {
  let root = one
  while (root.parent !== undefined) root = root.parent
  return root
}

/** Returns a transaction and all that it caused, each after its parent. */
export function withDescendants(root: RecordedTransaction): RecordedTransaction[] {
  const all = [root]
  for (const one of all) all.push(...one.children)
  return all
}

/** Returns true when the transaction changed nothing but the balance. */
export function isAborted({ transaction: { description } }: RecordedTransaction): boolean {
  return description.type === 'generic' && description.aborted
}

/** Returns true when the coins were sent back. They stay at an account without code, unless the message is bounceable. */
export function isBounced({ transaction: { description } }: RecordedTransaction): boolean {
  return description.type === 'generic' && description.bouncePhase?.type === 'ok'
}

/** Returns the message cells of a transaction. */
export function messageCells(raw: Cell): Pick<RecordedTransaction, 'inMessage' | 'outMessages'> {
  const slice = raw.refs[0]!.beginParse()
  const inMessage = slice.loadMaybeRef() ?? undefined
  const outMessages = slice.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values()
  return { inMessage, outMessages }
}
