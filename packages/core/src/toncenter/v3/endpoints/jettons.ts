import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { needs, severalNeedOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { addressesParam, directionParam, inTime, page, sortParam, sorted } from '../params.js'

const ofWallets = {
  /** The owners' jetton wallets. */
  jetton_wallet: addressesParam,
  /** The jetton's master. */
  jetton_master: optionalParam(addressParam),
  ...inTime,
  ...sorted,
}

/** Jettons: masters, wallets, transfers, burns. */
export const jettons = {
  /**
   * Returns burns of jettons, newest first.
   * Failed burns are included, with `transaction_aborted`. `amount` is in the jetton's base units.
   * @example
   * const { jetton_burns } = await v3.jettonBurns({ address })
   * for (const { amount, transaction_aborted } of jetton_burns) console.log(amount, transaction_aborted)
   */
  jettonBurns: getEndpoint('/jetton/burns', {
    /** The owners. */
    address: addressesParam,
    ...ofWallets,
  }),

  /**
   * Returns jetton masters: supply, administrator and metadata.
   * Anyone can create a jetton with any name and symbol: identify jettons by `address` alone.
   * @example
   * const [usdt] = (await v3.jettonMasters({ address })).jetton_masters
   * console.log(usdt?.total_supply, usdt?.jetton_content?.['decimals'])
   */
  jettonMasters: getEndpoint('/jetton/masters', {
    /** The masters. */
    address: addressesParam,
    /** Their administrators. */
    admin_address: addressesParam,
    ...page,
  }),

  /**
   * Returns transfers of jettons, newest first.
   * Each is the transaction of the sender's jetton wallet. Failed transfers are included: check `transaction_aborted`.
   * Without it the jettons were sent; only the transaction of the receiver's wallet shows that they arrived, see the
   * guide "Traces and actions". Check `jetton_master` too, since anyone can send a jetton of their own. `amount` is in
   * the jetton's base units.
   * @example
   * const filter = { owner_address: address, direction: 'in', jetton_master: master } as const
   * const { jetton_transfers } = await v3.jettonTransfers(filter)
   * for (const { source, amount, transaction_aborted } of jetton_transfers) {
   *   if (!transaction_aborted) console.log(source, 'has sent', amount)
   * }
   */
  jettonTransfers: getEndpoint(
    '/jetton/transfers',
    {
      /** The owners. */
      owner_address: addressesParam,
      ...ofWallets,
      /** Transfers to the owners (`in`) or from them. @default both */
      direction: optionalParam(directionParam),
    },
    {
      rules: [
        // Otherwise the server ignores it.
        needs('direction', 'owner_address'),
      ],
    },
  ),

  /**
   * Returns jetton wallets: owner, jetton and balance.
   * `balance` is in the jetton's base units. Several values of `jetton_address` need exactly one `owner_address`.
   * @example
   * const owned = { owner_address: address, exclude_zero_balance: true }
   * const { jetton_wallets } = await v3.jettonWallets(owned)
   * for (const { jetton, balance } of jetton_wallets) console.log(jetton, balance)
   */
  jettonWallets: getEndpoint(
    '/jetton/wallets',
    {
      /** The wallets. */
      address: addressesParam,
      /** Their owners. */
      owner_address: addressesParam,
      /** The jettons' masters. */
      jetton_address: addressesParam,
      /** Leaves out empty wallets. @default false */
      exclude_zero_balance: optionalParam(boolParam),
      ...page,
      /** Order by balance: smallest first (`asc`) or largest first. Pages of a changing list overlap. @default unsorted */
      sort: optionalParam(sortParam),
    },
    { rules: [severalNeedOne('jetton_address', 'owner_address')] },
  ),
}
