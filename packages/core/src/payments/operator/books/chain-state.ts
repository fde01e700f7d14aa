import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { canonicalAddress } from '../../../shared/address.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import type { OperatorReader } from '../context.js'
import type { BookedAccount } from './ledger-credits.js'

/** The current state of an account according to the index. */
export interface ChainState {
  /** The last transaction; absent for an account without one. */
  last?: { lt: bigint; txHash: string } | undefined
  /** The balance in base units of the asset; absent when the index does not return it. */
  balance: bigint | undefined
  /** The transaction after which the account has this balance, or an earlier one that has left the same. */
  balanceLt: bigint
}

/** Reads the state of an account, after which all earlier transactions are expected in the index. */
export async function readChainState(
  v3: OperatorReader,
  { account, asset }: BookedAccount,
): Promise<ChainState> {
  if (asset === NATIVE_ASSET) {
    const { last, coins } = await readAccount(v3, account)
    return { last, balance: coins, balanceLt: last?.lt ?? 0n }
  }
  // Before the state of the account, so that this one is not older.
  const [row] = (await v3.jettonWallets({ address: [account], limit: 1 })).jetton_wallets
  const { last } = await readAccount(v3, account)
  const balance = last === undefined ? 0n : row?.balance
  return { last, balance, balanceLt: row?.last_transaction_lt ?? 0n }
}

async function readAccount(v3: OperatorReader, account: string) {
  const { accounts } = await v3.accountStates({ address: [account], include_boc: false })
  const found = accounts.find(({ address }) => canonicalAddress(address) === account)
  const { last_transaction_lt: lt = 0n, last_transaction_hash: hash = '' } = found ?? {}
  const last = lt === 0n ? undefined : { lt, txHash: canonicalTransactionHash(hash) }
  const isGone = found === undefined || found.status === 'nonexist'
  return { last, coins: isGone ? 0n : found.balance }
}
