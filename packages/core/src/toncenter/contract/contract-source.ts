import type { Address, ContractState, ExtraCurrency, Transaction, TupleItem } from '@ton/core'
import type { StackArgument, StackItem } from '../endpoint/stack.js'
import type { V2Client } from '../v2/client.js'
import type { V2Result } from '../v2/endpoint-types.js'
import type { V3Client } from '../v3/client.js'
import type { V3Result } from '../v3/endpoint-types.js'
import type { V3StackArgument } from '../v3/stack.js'
import { ContractDataError } from './contract-error.js'
import { loadTransaction } from './load-transaction.js'
import { toStackArguments } from './stack.js'

type V2Account = V2Result<'getAddressInformation'>
type V3Account = V3Result<'accountStates'>['accounts'][number]
type AnyTransaction = Parameters<typeof loadTransaction>[0]

// The largest page of both server implementations of API v2.
const PAGE_SIZE = 100

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
  /** Returns transactions, newest first, starting with this lt and hash. */
  getTransactions(start: HistoryStart): Promise<Transaction[]>
}

interface HistoryStart {
  address: Address
  lt: bigint
  hash: Buffer
  limit: number
}

export function v2Source(v2: V2Client): ContractSource {
  return {
    getState: async (address) => v2State(await v2.getAddressInformation({ address })),
    isActive: async (address) => (await v2.getAddressState({ address })) === 'active',
    runGetMethod: async (address, method, args) =>
      v2.runGetMethod({ address, method, stack: toStackArguments(args) }),
    async send(boc) {
      await v2.sendBoc({ boc })
    },
    getTransactions: ({ limit, ...start }) =>
      take(limit, (options) => v2.getTransactions.paginate(start, options)),
  }
}

function v2State(account: V2Account): ContractState {
  const { lt, hash } = account.last_transaction_id
  const currencies = account.extra_currencies ?? []
  return {
    balance: account.balance,
    extracurrency: currenciesOrNull(currencies.map(({ id, amount }) => [id, amount])),
    last: lt === 0n ? null : { lt, hash: Buffer.from(hash, 'base64') },
    state: v2Storage(account),
  }
}

function v2Storage({ state, code, data, frozen_hash }: V2Account): ContractState['state'] {
  // API v2 has an empty string for no cell.
  if (state === 'active') return activeState(code || undefined, data || undefined)
  return state === 'frozen' ? frozenState(frozen_hash) : { type: 'uninit' }
}

export function v3Source(v3: V3Client): ContractSource {
  /** Returns `undefined` for an account that is not indexed. */
  async function account(address: Address, withBoc: boolean): Promise<V3Account | undefined> {
    const { accounts } = await v3.accountStates({ address: [address], include_boc: withBoc })
    return accounts[0]
  }

  return {
    getState: async (address) => v3State(await account(address, true)),
    isActive: async (address) => (await account(address, false))?.status === 'active',
    runGetMethod: async (address, method, args) =>
      v3.runGetMethod({
        address,
        // The server accepts a method id as decimal digits.
        method: method.toString(),
        // The client rejects arguments that API v3 does not support.
        stack: toStackArguments(args) as (StackArgument & V3StackArgument)[],
      }),
    async send(boc) {
      await v3.message({ boc })
    },
    async getTransactions({ address, lt, hash, limit }) {
      const params = { account: [address], end_lt: lt }
      const found = await take(
        limit,
        (options) => v3.transactions.paginate(params, options),
        (first) => first.hash === hash.toString('base64'),
      )
      if (found.length > 0 || limit < 1) return found
      // The list begins at the nearest older transaction instead.
      throw new ContractDataError({
        subject: 'transactions',
        path: '',
        problem: `the index has no transaction with lt ${lt} and hash ${hash.toString('hex')}; check both, or retry later if it is new`,
      })
    },
  }
}

function v3State(row: V3Account | undefined): ContractState {
  const { balance = 0n, last_transaction_lt: lt = 0n, last_transaction_hash: hash = '' } = row ?? {}
  return {
    balance,
    extracurrency: currenciesOrNull(Object.entries(row?.extra_currencies ?? {})),
    last: lt === 0n ? null : { lt, hash: Buffer.from(hash, 'base64') },
    state: row === undefined ? { type: 'uninit' } : v3Storage(row),
  }
}

function v3Storage(row: V3Account): ContractState['state'] {
  switch (row.status) {
    case 'active':
      return activeState(row.code_boc, row.data_boc)
    case 'frozen':
      return frozenState(row.frozen_hash)
    case 'uninit':
    case 'nonexist':
      return { type: 'uninit' }
    default:
      throw new ContractDataError({
        subject: 'accountStates',
        path: 'accounts[0].status',
        problem: `expected active, frozen, uninit or nonexist, not ${String(row.status)}`,
      })
  }
}

function activeState(code: string | undefined, data: string | undefined): ContractState['state'] {
  return { type: 'active', code: bytesOrNull(code), data: bytesOrNull(data) }
}

function bytesOrNull(base64: string | undefined): Buffer | null {
  return base64 === undefined ? null : Buffer.from(base64, 'base64')
}

function frozenState(hash = ''): ContractState['state'] {
  return { type: 'frozen', stateHash: Buffer.from(hash, 'base64') }
}

function currenciesOrNull(rows: [id: number | string, amount: bigint][]): ExtraCurrency | null {
  return rows.length === 0 ? null : Object.fromEntries(rows)
}

/** Returns the first transactions of a list; none if `isStart` rejects the first one. */
async function take<Row extends AnyTransaction>(
  limit: number,
  paginate: (options: { pageSize: number }) => AsyncIterable<Row>,
  isStart: (first: Row) => boolean = () => true,
): Promise<Transaction[]> {
  const found: Transaction[] = []
  if (limit < 1) return found
  for await (const one of paginate({ pageSize: Math.min(PAGE_SIZE, Math.max(2, limit)) })) {
    if (found.length === 0 && !isStart(one)) break
    found.push(loadTransaction(one))
    if (found.length === limit) break
  }
  return found
}
