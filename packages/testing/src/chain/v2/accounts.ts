import type { Address } from '@ton/core'
import type { AccountView } from '../account-view.js'
import type { ChainBlock } from '../block.js'
import { base64Boc } from '../spellings.js'
import {
  addressOf,
  blockAt,
  headOf,
  intOf,
  notSimulated,
  unavailable,
  type Answer,
  type Question,
} from './question.js'
import { tokenData } from './token-data.js'
import { readWallet, signed32 } from './wallet-kinds.js'
import {
  writeAccount,
  writeBalances,
  writeBlockId,
  writeFrozenHash,
  writeState,
  writeTransactionId,
} from './write.js'

/** An account as of a block. */
interface AccountAt {
  address: Address
  account: AccountView
  block: ChainBlock
  isNewest: boolean
}

/** The methods about an account. */
export const accounts = {
  async getAddressInformation(question) {
    const { account, block } = await accountAt(question)
    return writeAccount(account, block)
  },
  async getExtendedAddressInformation(question) {
    const { address, account, block } = await accountAt(question)
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
  async getWalletInformation(question) {
    const { account } = await accountAt(question)
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
        wallet_id: question.dialect === 'cpp' ? signed32(wallet.walletId) : wallet.walletId,
      }),
      ...(wallet?.isSignatureAllowed !== undefined && {
        is_signature_allowed: wallet.isSignatureAllowed,
      }),
    }
  },
  async getAddressBalance(question) {
    return (await accountAt(question)).account.balance.toString()
  },
  async getAddressState(question) {
    return writeState((await accountAt(question)).account)
  },
  async getTokenData(question) {
    const { address, isNewest } = await accountAt(question)
    if (!isNewest) throw notSimulated('older states to run get-methods on')
    return tokenData(question.chain, address)
  },
  async getShardAccountCell(question) {
    const { address, isNewest } = await accountAt(question)
    if (!isNewest) throw notSimulated('cells of older states')
    return { '@type': 'tvm.cell', bytes: base64Boc(await question.chain.accountCell(address)) }
  },
  dnsResolve: unavailable('domains'),
} satisfies Record<string, Answer>

/** The account that is asked about, as of the block that is asked about. */
export async function accountAt(question: Question): Promise<AccountAt> {
  const { chain } = question
  const address = addressOf(question)
  const seqno = intOf(question, 'seqno', 1)
  if (seqno === undefined) {
    return { address, account: await chain.account(address), block: headOf(chain), isNewest: true }
  }
  const block = blockAt(chain, seqno)
  const own = chain.index.ofAccount(address)
  const next = own.find((one) => one.seqno > seqno)
  if (next !== undefined) return { address, account: next.before, block, isNewest: false }
  return { address, account: await chain.account(address), block, isNewest: true }
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
