import { Dictionary, type Address, type Cell, type Transaction } from '@ton/core'
import type { AccountView } from './account-view.js'

/** A transaction with all that the servers tell about it. */
export interface RecordedTransaction {
  address: Address
  transaction: Transaction
  /** The masterchain block that has it. */
  seqno: number
  before: AccountView
  after: AccountView
  /** The cells of its messages as the transaction has them, so that their hashes are right. */
  inMessage: Cell | undefined
  outMessages: Cell[]
  parent: RecordedTransaction | undefined
  children: RecordedTransaction[]
}

/** The first transaction of its trace. */
export function rootOf(one: RecordedTransaction): RecordedTransaction {
  let root = one
  while (root.parent !== undefined) root = root.parent
  return root
}

/** The transactions of a trace from one on, each after the one that caused it. */
export function withDescendants(root: RecordedTransaction): RecordedTransaction[] {
  const all = [root]
  for (const one of all) all.push(...one.children)
  return all
}

/** The cells of a transaction's messages. */
export function messageCells(raw: Cell): Pick<RecordedTransaction, 'inMessage' | 'outMessages'> {
  const slice = raw.refs[0]!.beginParse()
  const inMessage = slice.loadMaybeRef() ?? undefined
  const outMessages = slice.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values()
  return { inMessage, outMessages }
}
