import type { Address, ContractState, Transaction, TupleItem } from '@ton/core'
import type { StackItem } from '../endpoint/stack.js'

/** What a provider asks an API for. */
export interface ContractSource {
  getState(address: Address): Promise<ContractState>
  /** Whether there is a contract that runs. */
  isActive(address: Address): Promise<boolean>
  /** @throws {GetMethodError} for another exit code than 0 and 1. */
  runGetMethod(
    address: Address,
    method: string | number,
    args: readonly TupleItem[],
  ): Promise<{ stack: StackItem[]; gas_used: number }>
  /** Sends a whole message from outside. */
  send(boc: Buffer): Promise<void>
  /** Newest first, from the one with this lt and hash on, that one included. */
  getTransactions(start: HistoryStart): Promise<Transaction[]>
}

/** Where in the history of an account to begin, and how much of it to read. */
interface HistoryStart {
  address: Address
  lt: bigint
  hash: Buffer
  limit: number
}
