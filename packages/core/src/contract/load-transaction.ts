import { loadTransaction as readTransaction, type Cell, type Transaction } from '@ton/core'
import { ContractDataError } from '../errors/contract.js'
import type { Transaction as V3Transaction } from '../v3/schemas/transaction.js'
import { readCell } from './read-cell.js'
import { rebuildTransaction } from './rebuild-transaction.js'

/** What of a transaction of API v2 is read: its cells, and the hash that they must have. */
export interface SerializedTransaction {
  data: string
  transaction_id: { hash: string }
}

/** A transaction of API v3. */
export type IndexedTransaction = V3Transaction

/**
 * A transaction of an answer as `@ton/core` has it.
 *
 * That of API v2 is read from its cells. API v3 sends none: the cells are built anew from the fields and proved by the
 * transaction's hash. They cannot be where a field of the network is not in the answer, such as the address to which a
 * message left the chain; then all fields are as the index has them, `hash()` is right, and `raw` throws.
 * @throws {ContractDataError} when the cells are none or have another hash, and for a transaction of API v3 without what
 * a transaction cannot do without, such as a pending one, which has no states of the account.
 * @example
 * ```ts
 * import { createV2Client } from '@tonplug/core'
 * import { loadTransaction } from '@tonplug/core/contract'
 *
 * const v2 = createV2Client({ network: 'testnet' })
 * const address = '0:0000000000000000000000000000000000000000000000000000000000000000'
 * for (const one of await v2.getTransactions({ address })) {
 *   console.log(loadTransaction(one).inMessage?.info.type)
 * }
 * ```
 */
export function loadTransaction(
  transaction: SerializedTransaction | IndexedTransaction,
): Transaction {
  return 'transaction_id' in transaction ? fromCells(transaction) : fromFields(transaction)
}

function fromCells({ data, transaction_id: { hash } }: SerializedTransaction): Transaction {
  const cell = readCell(data, { subject: 'transaction', path: 'data' })
  if (cell.hash().toString('base64') !== hash) {
    const problem = `its hash is not the transaction's, ${hash}`
    throw new ContractDataError({ subject: 'transaction', path: 'data', problem })
  }
  return parse(cell)
}

function fromFields(transaction: IndexedTransaction): Transaction {
  const expected = Buffer.from(transaction.hash, 'base64')
  let last: Cell | undefined
  for (const cell of rebuildTransaction(transaction)) {
    if (cell.hash().equals(expected)) return parse(cell)
    last ??= cell
  }
  // There is at least one.
  return unproven(parse(last as Cell), expected)
}

function parse(cell: Cell): Transaction {
  try {
    return readTransaction(cell.beginParse())
  } catch (cause) {
    const problem = '@ton/core cannot read it'
    throw new ContractDataError({ subject: 'transaction', path: '', problem, cause })
  }
}

/** A transaction whose cells are not those of the network, so that nobody may have them. */
function unproven(transaction: Transaction, hash: Buffer): Transaction {
  return Object.defineProperty({ ...transaction, hash: () => Buffer.from(hash) }, 'raw', {
    // What copies or prints the transaction passes it by.
    enumerable: false,
    get(): Cell {
      const problem = 'API v3 does not tell all that its cells hold; getTransactions of API v2 does'
      throw new ContractDataError({ subject: 'transaction', path: 'raw', problem })
    },
  })
}
