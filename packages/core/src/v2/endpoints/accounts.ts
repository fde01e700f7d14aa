import { optionalParam } from '../../schema/param.js'
import { addressParam, intParam, seqnoParam, textParam } from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'

/** An account, as of a masterchain block or as of now. */
const accountAt = paramsObject({
  /** The account. */
  address: addressParam,
  /** The masterchain block as of which to look. @default the newest one */
  seqno: optionalParam(seqnoParam),
})

/** Accounts: balances, states, contracts. */
export const accounts = {
  /**
   * Balance, code, data, last transaction and state of an account.
   * `balance` is in nanocoins; `state` is `uninitialized`, `active` or `frozen`. An account that has never been has the
   * balance 0 from the Python server and -1 from the C++ one.
   * @example
   * const { balance, state } = await v2.getAddressInformation({ address })
   * console.log(`${balance} nanocoins, ${state}`)
   */
  getAddressInformation: getEndpoint('getAddressInformation', {
    params: accountAt,
  }),

  /**
   * An account with what tonlib understands of its contract.
   * `account_state` has a shape for each kind of contract; wallets v1, v2 and v5 come as `raw.accountState`. The
   * balance of an account that has never been may be -1.
   * @example
   * const { account_state: contract } = await v2.getExtendedAddressInformation({ address })
   * if (contract['@type'] === 'wallet.v4.accountState') console.log(contract.seqno)
   */
  getExtendedAddressInformation: getEndpoint('getExtendedAddressInformation', {
    params: accountAt,
  }),

  /**
   * Balance of an account, and type, seqno and id of its wallet contract.
   * `wallet` tells whether it is a wallet at all; the wallet's fields are absent when it is none. `wallet_id` and
   * `seqno` may come signed: compare them modulo 2^32. The balance of an account that has never been may be -1.
   * @example
   * const { wallet, wallet_type, seqno = 0 } = await v2.getWalletInformation({ address })
   * console.log(wallet ? `${wallet_type}, next seqno ${seqno}` : 'no wallet')
   */
  getWalletInformation: getEndpoint('getWalletInformation', {
    params: accountAt,
  }),

  /**
   * Balance of an account in nanocoins.
   * That of an account that has never been may be -1, which stands for 0.
   * @example
   * const balance = await v2.getAddressBalance({ address })
   * console.log(balance >= 1_000_000_000n ? 'at least one coin' : 'less than one coin')
   */
  getAddressBalance: getEndpoint('getAddressBalance', {
    params: accountAt,
  }),

  /**
   * State of an account: `uninitialized`, `active` or `frozen`.
   * @example
   * const state = await v2.getAddressState({ address })
   * console.log(state === 'active' ? 'has a contract' : state)
   */
  getAddressState: getEndpoint('getAddressState', {
    params: accountAt,
  }),

  /**
   * What a jetton master, jetton wallet, NFT collection or NFT item tells about itself.
   * `contract_type` tells which of them it is. The Python server does not look at `seqno`.
   * @throws {ConflictError} when the contract is none of them.
   * @example
   * const token = await v2.getTokenData({ address })
   * if (token.contract_type === 'jetton_master') console.log(token.total_supply)
   */
  getTokenData: getEndpoint('getTokenData', {
    params: accountAt,
  }),

  /**
   * The account's cell in its shard state. C++ server only.
   * @example
   * const { bytes } = await v2.getShardAccountCell({ address, seqno: 39_984_096 })
   * console.log(bytes)
   */
  getShardAccountCell: getEndpoint('getShardAccountCell', {
    params: accountAt,
    servers: 'cpp',
  }),

  /**
   * Records of a domain, as its resolver contract tells them. C++ server only.
   * `address` is the resolver, `name` the domain below it, `ttl` how many resolvers may be asked in turn.
   * @example
   * const { entries } = await v2.dnsResolve({ address, name: 'example', ttl: 5 })
   * for (const { category, entry } of entries) console.log(category, entry['@type'])
   */
  dnsResolve: getEndpoint('dnsResolve', {
    params: paramsObject({
      /** The resolver contract. */
      address: addressParam,
      /** The domain below it. */
      name: optionalParam(textParam),
      /** Which records. */
      category: optionalParam(textParam),
      /** How many resolvers may be asked in turn. */
      ttl: optionalParam(intParam(0)),
      /** The masterchain block as of which to look. @default the newest one */
      seqno: optionalParam(seqnoParam),
    }),
    servers: 'cpp',
  }),
}
