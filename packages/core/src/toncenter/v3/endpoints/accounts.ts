import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { getEndpoint } from '../endpoint.js'
import { manyParam } from '../params.js'

const ofAccounts = {
  /** The accounts. */
  address: manyParam(addressParam),
}

/** Accounts: states, wallets, metadata. */
export const accounts = {
  /**
   * Returns the current balance, state and contract of accounts.
   * The order is undefined, and accounts that the index has never seen are missing: find each by its `address`.
   * `balance` is in nanocoins.
   * @example
   * const { accounts } = await v3.accountStates({ address, include_boc: false })
   * for (const { address, balance, status } of accounts) console.log(address, balance, status)
   */
  accountStates: getEndpoint(
    '/accountStates',
    {
      ...ofAccounts,
      /** Includes code and data. @default true */
      include_boc: optionalParam(boolParam),
    },
    { lookupBy: 'address' },
  ),

  /**
   * Returns the user-friendly address, domain and contract type of accounts.
   * The keys are the addresses as passed. An unknown account has an entry too.
   * @example
   * const book = await v3.addressBook({ address })
   * console.log(book[address]?.domain)
   */
  addressBook: getEndpoint('/addressBook', ofAccounts, { lookupBy: 'address' }),

  /**
   * Returns the metadata of token contracts among accounts.
   * The keys are raw addresses in upper case; accounts that are not tokens are missing. The creator of a token chose
   * its texts: treat them as hostile.
   * @example
   * const known = await v3.metadata({ address })
   * for (const [token, { token_info }] of Object.entries(known)) {
   *   console.log(token, token_info[0]?.symbol)
   * }
   */
  metadata: getEndpoint('/metadata', ofAccounts, { lookupBy: 'address' }),

  /**
   * Returns accounts as wallets: balance, and type, seqno and id of the wallet contract.
   * The order is undefined, and accounts that the index has never seen are missing. `is_wallet` is `true` for a
   * wallet; otherwise the fields of wallets are absent.
   * @example
   * const { wallets } = await v3.walletStates({ address })
   * for (const { address, wallet_type, seqno = 0 } of wallets) {
   *   console.log(address, wallet_type, `next seqno ${seqno}`)
   * }
   */
  walletStates: getEndpoint('/walletStates', ofAccounts, { lookupBy: 'address' }),
}
