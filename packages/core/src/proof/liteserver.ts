import type { AccountId, AccountProof } from './account-state.js'
import { isSameBlock, readBlockId, type BlockId } from './block-id.js'
import type { ProofCell } from './cell.js'
import { demand } from './proof-error.js'
import { readTransactionCells } from './read-cells.js'
import { openAnswer } from './tl-reader.js'
import type { TransactionId } from './transaction.js'

const ACCOUNT_STATE = 0x7079c751
const TRANSACTION_LIST = 0x6f26c60b
/** The most transactions that a server sends. */
export const MAX_TRANSACTIONS = 16

/**
 * A connection to a liteserver. Its answers are bytes of TL, as received: nothing of them is believed before it is proven.
 * Every method rejects when the server returns an error or cannot be reached.
 */
export interface Liteserver {
  /** Returns a `liteServer.partialBlockProof`, from a known block to the newest one. */
  getBlockProof(known: BlockId, options: LiteserverCallOptions): Promise<Uint8Array>
  /** Returns a `liteServer.accountState`, after a masterchain block. */
  getAccountState(
    query: { block: BlockId; account: AccountId },
    options: LiteserverCallOptions,
  ): Promise<Uint8Array>
  /** Returns a `liteServer.transactionList`: `last` and the ones before it, newest first, at most `count`. */
  getTransactions(
    query: { account: AccountId; last: TransactionId; count: number },
    options: LiteserverCallOptions,
  ): Promise<Uint8Array>
}

export interface LiteserverCallOptions {
  /** Ends the call. */
  signal: AbortSignal
}

/**
 * Reads an answer to `liteServer.getAccountState`. The server's statement about the block of the shard is not used.
 * @throws {ProofError} for other bytes, and for an answer about another block.
 */
export function readAccountState(bytes: Uint8Array, block: BlockId): AccountProof {
  const reader = openAnswer(bytes, 'accountState', ACCOUNT_STATE)
  demand(isSameBlock(readBlockId(reader), block), 'mismatch', 'the answer is about another block')
  readBlockId(reader)
  const parts = { shardProof: reader.bytes(), proof: reader.bytes(), state: reader.bytes() }
  reader.end()
  return parts
}

/**
 * Reads an answer to `liteServer.getTransactions`: the cells of at least one transaction. Their blocks are not used.
 * @throws {ProofError} for other bytes.
 */
export function readTransactionList(bytes: Uint8Array): ProofCell[] {
  const reader = openAnswer(bytes, 'transactionList', TRANSACTION_LIST)
  const count = reader.uint()
  const isAllowed = count > 0 && count <= MAX_TRANSACTIONS
  demand(isAllowed, 'malformed', `the answer has ${count} transactions`)
  for (let block = 0; block < count; block++) readBlockId(reader)
  const cells = readTransactionCells(reader.bytes(), count)
  reader.end()
  return cells
}
