import type { ContractState, ExtraCurrency, Transaction } from '@ton/core'
import type { V2Client, V2Result } from '../toncenter/v2/client.js'
import type { ContractSource } from './contract-source.js'
import { loadTransaction } from './load-transaction.js'
import { toStackArguments } from './stack.js'

// The largest page of both server implementations.
const PAGE_SIZE = 100

export function v2Source(v2: V2Client): ContractSource {
  return {
    getState: async (address) => readState(await v2.getAddressInformation({ address })),
    isActive: async (address) => (await v2.getAddressState({ address })) === 'active',
    runGetMethod: async (address, method, args) =>
      v2.runGetMethod({ address, method, stack: toStackArguments(args) }),
    async send(boc) {
      await v2.sendBoc({ boc })
    },
    async getTransactions({ address, lt, hash, limit }) {
      const found: Transaction[] = []
      if (limit < 1) return found
      const pageSize = Math.min(PAGE_SIZE, Math.max(2, limit))
      for await (const one of v2.getTransactions.paginate({ address, lt, hash }, { pageSize })) {
        found.push(loadTransaction(one))
        if (found.length === limit) break
      }
      return found
    },
  }
}

function readState(account: V2Result<'getAddressInformation'>): ContractState {
  const { lt, hash } = account.last_transaction_id
  return {
    balance: account.balance,
    extracurrency: readCurrencies(account.extra_currencies ?? []),
    last: lt === 0n ? null : { lt, hash: Buffer.from(hash, 'base64') },
    state: readStorage(account),
  }
}

function readStorage({
  state,
  code,
  data,
  frozen_hash: frozenHash,
}: V2Result<'getAddressInformation'>): ContractState['state'] {
  if (state === 'active')
    return { type: 'active', code: bytesOrNull(code), data: bytesOrNull(data) }
  if (state === 'frozen') {
    return { type: 'frozen', stateHash: Buffer.from(frozenHash ?? '', 'base64') }
  }
  return { type: 'uninit' }
}

function bytesOrNull(base64: string): Buffer | null {
  return base64 === '' ? null : Buffer.from(base64, 'base64')
}

function readCurrencies(
  rows: NonNullable<V2Result<'getAddressInformation'>['extra_currencies']>,
): ExtraCurrency | null {
  if (rows.length === 0) return null
  return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]))
}
