import type { Cell, ShardAccount } from '@ton/core'
import { keepCell } from './kept-cells.js'

/** An account as the servers see it. */
export interface AccountView {
  status: 'nonexist' | 'uninit' | 'active' | 'frozen'
  balance: bigint
  /** By the currency's id. */
  extraCurrencies: ReadonlyMap<number, bigint>
  code: Cell | undefined
  data: Cell | undefined
  /** 256 bits; of a frozen account only. */
  frozenHash: bigint | undefined
  last: { lt: bigint; hash: bigint }
}

/** Codes by their hashes, so that all accounts of a kind have one. */
export type Codes = Map<string, Cell>

/** What an account of the sandbox amounts to. */
export function viewAccount(
  { account, lastTransactionLt, lastTransactionHash }: ShardAccount,
  codes: Codes,
): AccountView {
  const state = account?.storage.state
  const inner = state?.type === 'active' ? state.state : undefined
  const data = inner?.data ? keepCell(inner.data) : undefined
  return {
    status: state?.type ?? 'nonexist',
    balance: account?.storage.balance.coins ?? 0n,
    extraCurrencies: new Map(account?.storage.balance.other ?? []),
    code: inner?.code ? intern(codes, inner.code) : undefined,
    get data() {
      return data?.()
    },
    frozenHash: state?.type === 'frozen' ? state.stateHash : undefined,
    last: { lt: lastTransactionLt, hash: lastTransactionHash },
  }
}

function intern(codes: Codes, code: Cell): Cell {
  const key = code.hash().toString('hex')
  const known = codes.get(key) ?? code
  codes.set(key, known)
  return known
}

/** An account that never got a message. */
export const NONEXIST: AccountView = viewAccount(
  { account: null, lastTransactionLt: 0n, lastTransactionHash: 0n },
  new Map(),
)
