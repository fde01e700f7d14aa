import type { Address, ContractState, Transaction } from '@ton/core'
import type { StackArgument } from '../endpoint/stack.js'
import { ContractDataError } from '../errors/contract.js'
import type { V3Client, V3Result } from '../v3/client.js'
import type { V3StackArgument } from '../v3/stack-params.js'
import type { ContractSource } from './contract-source.js'
import { loadTransaction } from './load-transaction.js'
import { toStackArguments } from './stack.js'

type AccountRow = V3Result<'accountStates'>['accounts'][number]

const PAGE_SIZE = 100

/** Contracts over API v3. */
export function v3Source(v3: V3Client): ContractSource {
  /** `undefined` for an account that the index has never seen. */
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
        // The server takes digits for an id.
        method: method.toString(),
        // The parameter refuses what API v3 does not take.
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
      for await (const one of v3.transactions.iterate(params, { pageSize })) {
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

/** The list begins at the nearest older transaction then, which is not what was asked for. */
function startMissing({ lt, hash }: { lt: bigint; hash: Buffer }): ContractDataError {
  return new ContractDataError({
    subject: 'transactions',
    path: '',
    problem: `the index has none with lt ${lt} and hash ${hash.toString('hex')}; it may have it a moment later, so check lt and hash and ask again`,
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
