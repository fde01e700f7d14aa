import type { Address } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import { walletOf } from '../chain/wallet-kinds.js'
import type { ChainBlock } from '../chain/block.js'
import { base64Boc } from '../shared/encodings.js'
import {
  addressOf,
  blockAt,
  headOf,
  intOf,
  notSimulated,
  unavailable,
  type Method,
  type MethodCall,
} from './method-call.js'
import { tokenData } from './token-data.js'
import {
  writeAccount,
  writeBalances,
  writeBlockId,
  writeFrozenHash,
  writeState,
  writeTransactionId,
} from './write.js'

/** The state of an account at a block. */
interface AccountAt {
  address: Address
  account: AccountView
  block: ChainBlock
  isNewest: boolean
}

/** The methods for accounts. */
export const accounts = {
  async getAddressInformation(call) {
    const { account, block } = await accountAt(call)
    return writeAccount(account, block)
  },
  async getExtendedAddressInformation(call) {
    const { address, account, block } = await accountAt(call)
    return {
      '@type': 'fullAccountState',
      address: { '@type': 'accountAddress', account_address: address.toString() },
      ...writeBalances(account),
      last_transaction_id: writeTransactionId(account.last.lt, account.last.hash),
      block_id: writeBlockId(-1, block.seqno),
      sync_utime: block.utime,
      account_state: writeAccountState(account),
      revision: readWallet(account)?.revision ?? 0,
    }
  },
  async getWalletInformation(call) {
    const { account } = await accountAt(call)
    const wallet = readWallet(account)
    return {
      '@type': 'ext.accounts.walletInformation',
      wallet: wallet !== undefined,
      balance: account.balance.toString(),
      account_state: writeState(account),
      last_transaction_id: writeTransactionId(account.last.lt, account.last.hash),
      ...(wallet && {
        wallet_type: wallet.type,
        seqno: wallet.seqno,
        // The C++ server reads the 32 bits as a signed integer.
        wallet_id: call.dialect === 'cpp' ? wallet.walletId | 0 : wallet.walletId,
      }),
      ...(wallet?.isSignatureAllowed !== undefined && {
        is_signature_allowed: wallet.isSignatureAllowed,
      }),
    }
  },
  async getAddressBalance(call) {
    return (await accountAt(call)).account.balance.toString()
  },
  async getAddressState(call) {
    return writeState((await accountAt(call)).account)
  },
  async getTokenData(call) {
    const { address, isNewest } = await accountAt(call)
    if (!isNewest) throw notSimulated('get-methods on older states')
    return tokenData(call.chain, address)
  },
  async getShardAccountCell(call) {
    const { address, isNewest } = await accountAt(call)
    if (!isNewest) throw notSimulated('cells of older states')
    return { '@type': 'tvm.cell', bytes: base64Boc(await call.chain.accountCell(address)) }
  },
  dnsResolve: unavailable('domains'),
} satisfies Record<string, Method>

/** Returns the requested account at the requested block. */
export async function accountAt(call: MethodCall): Promise<AccountAt> {
  const { chain } = call
  const address = addressOf(call)
  const seqno = intOf(call, 'seqno', 1)
  if (seqno === undefined) {
    return { address, account: await chain.account(address), block: headOf(chain), isNewest: true }
  }
  const block = blockAt(chain, seqno)
  const own = chain.index.ofAccount(address)
  const next = own.find((one) => one.seqno > seqno)
  if (next !== undefined) return { address, account: next.before, block, isNewest: false }
  return { address, account: await chain.account(address), block, isNewest: true }
}

/** Wallets by their type, and the types of their account state in tonlib, which does not support version 5. */
const KINDS: Readonly<Record<string, { revision: number; tonlibType?: string } | undefined>> = {
  'wallet v3 r2': { revision: 2, tonlibType: 'wallet.v3.accountState' },
  'wallet v4 r2': { revision: 2, tonlibType: 'wallet.v4.accountState' },
  'wallet v5 r1': { revision: 0 },
}

/** Reads a wallet of a version that API v2 supports; returns undefined for any other account. */
function readWallet(account: AccountView) {
  const wallet = walletOf(account)
  const kind = wallet && KINDS[wallet.type]
  return kind && { ...wallet, ...kind, walletId: wallet.walletId ?? 0 }
}

function writeAccountState(account: AccountView): unknown {
  const frozen_hash = writeFrozenHash(account)
  if (account.code === undefined && account.status !== 'frozen') {
    return { '@type': 'uninited.accountState', frozen_hash }
  }
  const wallet = readWallet(account)
  if (wallet?.tonlibType !== undefined) {
    const { tonlibType, walletId, seqno } = wallet
    return { '@type': tonlibType, wallet_id: walletId, seqno }
  }
  return {
    '@type': 'raw.accountState',
    code: account.code === undefined ? '' : base64Boc(account.code),
    data: account.data === undefined ? '' : base64Boc(account.data),
    frozen_hash,
  }
}
