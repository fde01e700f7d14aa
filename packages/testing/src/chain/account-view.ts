import type { Cell, ShardAccount } from '@ton/core'

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

/** What an account of the sandbox amounts to. */
export function viewAccount({
  account,
  lastTransactionLt,
  lastTransactionHash,
}: ShardAccount): AccountView {
  const state = account?.storage.state
  const inner = state?.type === 'active' ? state.state : undefined
  return {
    status: state?.type ?? 'nonexist',
    balance: account?.storage.balance.coins ?? 0n,
    extraCurrencies: new Map(account?.storage.balance.other ?? []),
    code: inner?.code ?? undefined,
    data: inner?.data ?? undefined,
    frozenHash: state?.type === 'frozen' ? state.stateHash : undefined,
    last: { lt: lastTransactionLt, hash: lastTransactionHash },
  }
}
