import type { Cell, ShardAccount } from '@ton/core'
import { keepCell } from './kept-cells.js'

/** The state of an account, as the servers return it. */
export interface AccountView {
  status: 'nonexist' | 'uninit' | 'active' | 'frozen'
  balance: bigint
  /** Amounts by the id of the currency. */
  extraCurrencies: ReadonlyMap<number, bigint>
  code: Cell | undefined
  data: Cell | undefined
  /** 256 bits; of frozen accounts only. */
  frozenHash: bigint | undefined
  last: { lt: bigint; hash: bigint }
}

/** Codes by their hashes, to share one cell among accounts with the same code. */
export type Codes = Map<string, Cell>

/** Converts an account of the sandbox. */
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

/** The state of an account that never received a message. */
export const NONEXIST: AccountView = viewAccount(
  { account: null, lastTransactionLt: 0n, lastTransactionHash: 0n },
  new Map(),
)
