import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { needs, paramsObject, severalNeedOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { inTime, page, sorted } from '../list-params.js'
import { directionParam, manyParam, sortParam } from '../params.js'

const addresses = optionalParam(manyParam(addressParam))

const ofWallets = {
  /** The owners' jetton wallets. */
  jetton_wallet: addresses,
  /** The jetton's master. */
  jetton_master: optionalParam(addressParam),
  ...inTime,
  ...sorted,
}

/** Jettons: kinds, wallets, transfers, burns. */
export const jettons = {
  /**
   * Burns of jettons, the newest first.
   * Those that failed are among them, with `transaction_aborted`. `amount` is in the jetton's base units.
   * @example
   * const { jetton_burns } = await v3.jettonBurns({ address })
   * for (const { amount, transaction_aborted } of jetton_burns) console.log(amount, transaction_aborted)
   */
  jettonBurns: getEndpoint('/jetton/burns', {
    params: paramsObject({
      /** The owners. */
      address: addresses,
      ...ofWallets,
    }),
  }),

  /**
   * Kinds of jettons: supply, administrator, and what they say about themselves.
   * Anyone can make a jetton with any name and symbol: tell them apart by `address` alone.
   * @example
   * const [usdt] = (await v3.jettonMasters({ address })).jetton_masters
   * console.log(usdt?.total_supply, usdt?.jetton_content?.['decimals'])
   */
  jettonMasters: getEndpoint('/jetton/masters', {
    params: paramsObject({
      /** The masters. */
      address: addresses,
      /** Their administrators. */
      admin_address: addresses,
      ...page,
    }),
  }),

  /**
   * Transfers of jettons, the newest first.
   * Each is told by the transaction of the sender's jetton wallet, and those that failed are among them: look at
   * `transaction_aborted`. Without it the jettons were sent; whether the receiver's wallet took them is told by the
   * transaction of that one alone, see the guide "Traces and actions". Look at `jetton_master` too, since anyone can send
   * a jetton of their own making. `amount` is in the jetton's base units.
   * @example
   * const filter = { owner_address: address, direction: 'in', jetton_master: master } as const
   * const { jetton_transfers } = await v3.jettonTransfers(filter)
   * for (const { source, amount, transaction_aborted } of jetton_transfers) {
   *   if (!transaction_aborted) console.log(source, 'has sent', amount)
   * }
   */
  jettonTransfers: getEndpoint('/jetton/transfers', {
    params: paramsObject(
      {
        /** The owners. */
        owner_address: addresses,
        ...ofWallets,
        /** To the owners, `in`, or from them. @default both */
        direction: optionalParam(directionParam),
      },
      // The server ignores it otherwise.
      needs('direction', 'owner_address'),
    ),
  }),

  /**
   * Jetton wallets: who has how much of which jetton.
   * `balance` is in the jetton's base units. Several of `jetton_address` need exactly one `owner_address`.
   * @example
   * const owned = { owner_address: address, exclude_zero_balance: true }
   * const { jetton_wallets } = await v3.jettonWallets(owned)
   * for (const { jetton, balance } of jetton_wallets) console.log(jetton, balance)
   */
  jettonWallets: getEndpoint('/jetton/wallets', {
    params: paramsObject(
      {
        /** The wallets. */
        address: addresses,
        /** Their owners. */
        owner_address: addresses,
        /** The jettons' masters. */
        jetton_address: addresses,
        /** Whether to leave out empty wallets. @default false */
        exclude_zero_balance: optionalParam(boolParam),
        ...page,
        /** By balance: the smallest first, `asc`, or the largest. Pages of a changing list overlap. @default unsorted */
        sort: optionalParam(sortParam),
      },
      severalNeedOne('jetton_address', 'owner_address'),
    ),
  }),
}
