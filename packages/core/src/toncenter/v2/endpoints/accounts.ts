import { optionalParam } from '../../schema/param.js'
import { addressParam, intParam, seqnoParam, stringParam } from '../../schema/params.js'
import { getEndpoint } from '../endpoint.js'

/** An account at a masterchain block, by default the newest. */
const accountAt = {
  /** The account. */
  address: addressParam,
  /** The masterchain block whose state to read. @default the newest one */
  seqno: optionalParam(seqnoParam),
}

/** Accounts: balances, states, contracts. */
export const accounts = {
  /**
   * Returns balance, code, data, last transaction and state of an account.
   * `balance` is in nanocoins; `state` is `uninitialized`, `active` or `frozen`. For an account that never existed,
   * the Python server returns the balance 0 and the C++ server -1.
   * @example
   * const { balance, state } = await v2.getAddressInformation({ address })
   * console.log(`${balance} nanocoins, ${state}`)
   */
  getAddressInformation: getEndpoint('getAddressInformation', accountAt),

  /**
   * Returns an account with its contract as tonlib parses it.
   * `account_state` has one format per kind of contract; wallets v1, v2 and v5 are `raw.accountState`. The balance of
   * an account that never existed may be -1.
   * @example
   * const { account_state: contract } = await v2.getExtendedAddressInformation({ address })
   * if (contract['@type'] === 'wallet.v4.accountState') console.log(contract.seqno)
   */
  getExtendedAddressInformation: getEndpoint('getExtendedAddressInformation', accountAt),

  /**
   * Returns the balance of an account, and type, seqno and id of its wallet contract.
   * `wallet` is `true` for a wallet; otherwise the fields of wallets are absent. `wallet_id` and `seqno` may be
   * signed: compare them modulo 2^32. The balance of an account that never existed may be -1.
   * @example
   * const { wallet, wallet_type, seqno = 0 } = await v2.getWalletInformation({ address })
   * console.log(wallet ? `${wallet_type}, next seqno ${seqno}` : 'no wallet')
   */
  getWalletInformation: getEndpoint('getWalletInformation', accountAt),

  /**
   * Returns the balance of an account in nanocoins.
   * The balance of an account that never existed may be -1, which means 0.
   * @example
   * const balance = await v2.getAddressBalance({ address })
   * console.log(balance >= 1_000_000_000n ? 'at least one coin' : 'less than one coin')
   */
  getAddressBalance: getEndpoint('getAddressBalance', accountAt),

  /**
   * Returns the state of an account: `uninitialized`, `active` or `frozen`.
   * @example
   * const state = await v2.getAddressState({ address })
   * console.log(state === 'active' ? 'has a contract' : state)
   */
  getAddressState: getEndpoint('getAddressState', accountAt),

  /**
   * Returns the data of a jetton master, jetton wallet, NFT collection or NFT item, as its contract reports it.
   * `contract_type` identifies the kind of contract. The Python server ignores `seqno`.
   * @throws {ApiError} `ERR_TONPLUG_CONFLICT` if the contract is not one of these.
   * @example
   * const token = await v2.getTokenData({ address })
   * if (token.contract_type === 'jetton_master') console.log(token.total_supply)
   */
  getTokenData: getEndpoint('getTokenData', accountAt),

  /**
   * Returns the account's cell in its shard state. C++ server only.
   * @example
   * const { bytes } = await v2.getShardAccountCell({ address, seqno: 39_984_096 })
   * console.log(bytes)
   */
  getShardAccountCell: getEndpoint('getShardAccountCell', accountAt, { servers: 'cpp' }),

  /**
   * Returns the records of a domain from its resolver contract. C++ server only.
   * `address` is the resolver, `name` the domain below it, `ttl` the maximum number of resolvers to query in turn.
   * @example
   * const { entries } = await v2.dnsResolve({ address, name: 'example', ttl: 5 })
   * for (const { category, entry } of entries) console.log(category, entry['@type'])
   */
  dnsResolve: getEndpoint(
    'dnsResolve',
    {
      /** The resolver contract. */
      address: addressParam,
      /** The domain below it. */
      name: optionalParam(stringParam),
      /** The category of the records. */
      category: optionalParam(stringParam),
      /** Maximum number of resolvers to query in turn. */
      ttl: optionalParam(intParam(0)),
      /** The masterchain block whose state to read. @default the newest one */
      seqno: optionalParam(seqnoParam),
    },
    { servers: 'cpp' },
  ),
}
