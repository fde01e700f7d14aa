import type { Address, ContractState, Transaction, TupleItem } from '@ton/core'
import type { StackItem } from '../toncenter/endpoint/stack.js'

/** The API calls that a provider needs. */
export interface ContractSource {
  getState(address: Address): Promise<ContractState>
  /** Returns true when the contract is deployed and active. */
  isActive(address: Address): Promise<boolean>
  /** @throws {GetMethodError} for an exit code other than 0 and 1. */
  runGetMethod(
    address: Address,
    method: string | number,
    args: readonly TupleItem[],
  ): Promise<{ stack: StackItem[]; gas_used: number }>
  send(boc: Buffer): Promise<void>
  /** Returns transactions, newest first, starting with the one that has this lt and hash. */
  getTransactions(start: HistoryStart): Promise<Transaction[]>
}

interface HistoryStart {
  address: Address
  lt: bigint
  hash: Buffer
  limit: number
}
