import { optionalParam } from '../../schema/param.js'
import { boolParam } from '../../schema/params.js'
import { getEndpoint } from '../endpoint.js'
import { addressesParam, limitParam, offsetParam, sortParam } from '../params.js'

const sorted = {
  /** Maximum number of rows. @default 10 */
  limit: limitParam(10, 1024),
  /** Number of rows to skip. @default 0 */
  offset: offsetParam,
  /** Order by the last change: oldest first (`asc`) or newest first. @default 'desc' */
  sort: optionalParam(sortParam),
}

/** Multisig wallets and their orders. */
export const multisig = {
  /**
   * Returns orders of multisig wallets, last changed first.
   * `expiration_date` is Unix seconds.
   * @example
   * const { orders } = await v3.multisigOrders({ multisig_address: address, parse_actions: true })
   * for (const { approvals_num, threshold, actions } of orders) {
   *   console.log(`${approvals_num} of ${threshold}`, actions)
   * }
   */
  multisigOrders: getEndpoint('/multisig/orders', {
    /** The orders. */
    address: addressesParam,
    /** Their wallets. */
    multisig_address: addressesParam,
    /** Includes the messages that they send, as `actions`. @default false */
    parse_actions: optionalParam(boolParam),
    ...sorted,
  }),

  /**
   * Returns multisig wallets with their orders, last changed first.
   * @example
   * const { multisigs } = await v3.multisigWallets({ wallet_address: address })
   * for (const { address, threshold, signers } of multisigs) {
   *   console.log(address, `${threshold} of ${signers.length}`)
   * }
   */
  multisigWallets: getEndpoint('/multisig/wallets', {
    /** The multisig wallets. */
    address: addressesParam,
    /** Wallets that sign or propose orders. */
    wallet_address: addressesParam,
    ...sorted,
    /** Includes their orders. @default true */
    include_orders: optionalParam(boolParam),
  }),
}
