import type { Address, ContractState, Transaction } from '@ton/core'
import type { StackArgument } from '../toncenter/endpoint/stack.js'
import { ContractDataError } from './contract-error.js'
import type { V3Client, V3Result } from '../toncenter/v3/client.js'
import type { V3StackArgument } from '../toncenter/v3/stack.js'
import type { ContractSource } from './contract-source.js'
import { loadTransaction } from './load-transaction.js'
import { toStackArguments } from './stack.js'

type AccountRow = V3Result<'accountStates'>['accounts'][number]

const PAGE_SIZE = 100

export function v3Source(v3: V3Client): ContractSource {
  /** Returns `undefined` for an account that is not indexed. */
  async function account(address: Address, withBoc: boolean): Promise<AccountRow | undefined> {
    const { accounts } = await v3.accountStates({ address: [address], include_boc: withBoc })
    return accounts[0]
  }

  return {
    getState: async (address) => readState(await account(address, true)),
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
      const found: Transaction[] = []
      if (limit < 1) return found
      const pageSize = Math.min(PAGE_SIZE, Math.max(2, limit))
      const params = { account: [address], end_lt: lt }
      for await (const one of v3.transactions.paginate(params, { pageSize })) {
        if (found.length === 0 && !isHash(one, hash)) break
        found.push(loadTransaction(one))
        if (found.length === limit) break
      }
      if (found.length === 0) throw startMissing({ lt, hash })
      return found
    },
  }
}

function isHash({ hash }: { hash: string }, asked: Buffer): boolean {
  return hash === asked.toString('base64')
}

/** The list would begin at the nearest older transaction instead. */
function startMissing({ lt, hash }: { lt: bigint; hash: Buffer }): ContractDataError {
  return new ContractDataError({
    subject: 'transactions',
    path: '',
    problem: `the index has no transaction with lt ${lt} and hash ${hash.toString('hex')}; check both, or retry later if it is new`,
  })
}

function readState(row: AccountRow | undefined): ContractState {
  const { balance = 0n, last_transaction_lt: lt = 0n, last_transaction_hash: hash = '' } = row ?? {}
  const currencies = Object.entries(row?.extra_currencies ?? {})
  return {
    balance,
    extracurrency: currencies.length === 0 ? null : Object.fromEntries(currencies),
    last: lt === 0n ? null : { lt, hash: Buffer.from(hash, 'base64') },
    state: row === undefined ? { type: 'uninit' } : readStorage(row),
  }
}

function readStorage(row: AccountRow): ContractState['state'] {
  switch (row.status) {
    case 'active':
      return { type: 'active', code: bytesOrNull(row.code_boc), data: bytesOrNull(row.data_boc) }
    case 'frozen':
      return { type: 'frozen', stateHash: Buffer.from(row.frozen_hash ?? '', 'base64') }
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

function bytesOrNull(base64: string | undefined): Buffer | null {
  return base64 === undefined ? null : Buffer.from(base64, 'base64')
}
