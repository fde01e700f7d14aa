import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { manyParam } from '../params.js'

const ofAccounts = {
  /** The accounts. */
  address: manyParam(addressParam),
}

/** Accounts: states, wallets, what is known of addresses. */
export const accounts = {
  /**
   * Accounts as they are now: balance, state, contract.
   * They come in no order, and those that the index has never seen are missing: look for each by its `address`.
   * `balance` is in nanocoins.
   * @example
   * const { accounts } = await v3.accountStates({ address, include_boc: false })
   * for (const { address, balance, status } of accounts) console.log(address, balance, status)
   */
  accountStates: getEndpoint('/accountStates', {
    params: paramsObject({
      ...ofAccounts,
      /** Whether to send code and data. @default true */
      include_boc: optionalParam(boolParam),
    }),
    lookupBy: 'address',
  }),

  /**
   * Friendly address, domain and kind of contract of accounts.
   * The keys are the addresses as they were passed. An account that nobody knows has an entry too.
   * @example
   * const book = await v3.addressBook({ address })
   * console.log(book[address]?.domain)
   */
  addressBook: getEndpoint('/addressBook', {
    params: paramsObject(ofAccounts),
    lookupBy: 'address',
  }),

  /**
   * What tokens among accounts say about themselves.
   * The keys are raw addresses in upper case; an account that is no token is missing. The texts were chosen by whoever
   * made the token: treat them as hostile.
   * @example
   * const known = await v3.metadata({ address })
   * for (const [token, { token_info }] of Object.entries(known)) {
   *   console.log(token, token_info[0]?.symbol)
   * }
   */
  metadata: getEndpoint('/metadata', {
    params: paramsObject(ofAccounts),
    lookupBy: 'address',
  }),

  /**
   * Accounts as wallets: balance, and type, seqno and id of the wallet contract.
   * They come in no order, and those that the index has never seen are missing. `is_wallet` tells whether it is one; the
   * wallet's fields are absent when it is none.
   * @example
   * const { wallets } = await v3.walletStates({ address })
   * for (const { address, wallet_type, seqno = 0 } of wallets) {
   *   console.log(address, wallet_type, `next seqno ${seqno}`)
   * }
   */
  walletStates: getEndpoint('/walletStates', {
    params: paramsObject(ofAccounts),
    lookupBy: 'address',
  }),
}
