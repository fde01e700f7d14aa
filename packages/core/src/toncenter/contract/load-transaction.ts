import { loadTransaction as readTransaction, type Cell, type Transaction } from '@ton/core'
import { ContractDataError } from './contract-error.js'
import type { V3Transaction } from '../v3/generated/types.js'
import { readCell } from './fields.js'
import { rebuildTransaction } from './rebuild-transaction.js'

/** A transaction of API v2: its cells, and their expected hash. */
export interface SerializedTransaction {
  data: string
  transaction_id: { hash: string }
}

/** A transaction of API v3. */
export type IndexedTransaction = V3Transaction

/**
 * Converts a transaction of a response to a `Transaction` of `@ton/core`.
 *
 * A transaction of API v2 is parsed from its cells. API v3 returns no cells: they are rebuilt from the fields and checked
 * against the transaction's hash. If the response lacks a field of the original cells, for example the destination of an
 * external outgoing message, the fields come from the index, `hash()` is correct, and `raw` throws.
 * @throws {ContractDataError} when the cells are invalid or have a different hash, or when a transaction of API v3 lacks
 * required fields: a pending one has no account states.
 * @example
 * ```ts
 * import { createV2Client } from '@tonplug/core/toncenter'
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
    const problem = `expected cells with the transaction hash ${hash}; received cells with a different hash`
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
  // rebuildTransaction() returns at least one cell.
  return unproven(parse(last as Cell), expected)
}

function parse(cell: Cell): Transaction {
  try {
    return readTransaction(cell.beginParse())
  } catch (cause) {
    const problem = '@ton/core cannot parse the cells; see cause'
    throw new ContractDataError({ subject: 'transaction', path: '', problem, cause })
  }
}

/** Returns the transaction with a `raw` that throws, since the rebuilt cells differ from those on chain. */
function unproven(transaction: Transaction, hash: Buffer): Transaction {
  return Object.defineProperty({ ...transaction, hash: () => Buffer.from(hash) }, 'raw', {
    // Not enumerable, so that copying or printing the transaction does not throw.
    enumerable: false,
    get(): Cell {
      const problem = 'API v3 does not return all data of the cells; use getTransactions of API v2'
      throw new ContractDataError({ subject: 'transaction', path: 'raw', problem })
    },
  })
}
