import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { limitParam, manyParam, offsetParam, sortParam } from '../params.js'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 1024

const addresses = optionalParam(manyParam(addressParam))

const sorted = {
  /** How many at most. @default 10 */
  limit: limitParam(DEFAULT_LIMIT, MAX_LIMIT),
  /** How many to skip. @default 0 */
  offset: offsetParam,
  /** By the last change: the oldest first, `asc`, or the newest. @default 'desc' */
  sort: optionalParam(sortParam),
}

/** Multisig: wallets that several sign for, and their orders. */
export const multisig = {
  /**
   * Orders of multi-signature wallets, those that changed last first.
   * `expiration_date` is Unix seconds.
   * @example
   * const { orders } = await v3.multisigOrders({ multisig_address: address, parse_actions: true })
   * for (const { approvals_num, threshold, actions } of orders) {
   *   console.log(`${approvals_num} of ${threshold}`, actions)
   * }
   */
  multisigOrders: getEndpoint('/multisig/orders', {
    params: paramsObject({
      /** The orders. */
      address: addresses,
      /** Their wallets. */
      multisig_address: addresses,
      /** Whether to send what they do, as `actions`. @default false */
      parse_actions: optionalParam(boolParam),
      ...sorted,
    }),
  }),

  /**
   * Multi-signature wallets with their orders, those that changed last first.
   * @example
   * const { multisigs } = await v3.multisigWallets({ wallet_address: address })
   * for (const { address, threshold, signers } of multisigs) {
   *   console.log(address, `${threshold} of ${signers.length}`)
   * }
   */
  multisigWallets: getEndpoint('/multisig/wallets', {
    params: paramsObject({
      /** The multi-signature wallets. */
      address: addresses,
      /** Wallets that sign or propose orders. */
      wallet_address: addresses,
      ...sorted,
      /** Whether to send their orders. @default true */
      include_orders: optionalParam(boolParam),
    }),
  }),
}
