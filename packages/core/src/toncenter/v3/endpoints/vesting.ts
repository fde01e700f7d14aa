import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { exactlyOne, needs, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { limitParam, manyParam, offsetParam } from '../params.js'

const addresses = optionalParam(manyParam(addressParam))

/** Vesting contracts. */
export const vesting = {
  /**
   * Returns vesting contracts.
   * `total_amount` is in nanocoins, `start_time` Unix seconds, durations are seconds.
   * @example
   * const { vesting_contracts } = await v3.vesting({ wallet_address: address })
   * for (const { total_amount, start_time } of vesting_contracts) {
   *   console.log(total_amount, new Date(Number(start_time) * 1000))
   * }
   */
  vesting: getEndpoint(
    '/vesting',
    paramsObject(
      {
        /** The contracts. */
        contract_address: addresses,
        /** Their owners or senders. */
        wallet_address: addresses,
        /** Also matches accounts on the contracts' whitelists. @default false */
        check_whitelist: optionalParam(boolParam),
        /** Maximum number of rows. @default 10 */
        limit: limitParam(),
        /** Number of rows to skip. @default 0 */
        offset: offsetParam,
      },
      exactlyOne('contract_address', 'wallet_address'),
      // Otherwise the server ignores it.
      needs('check_whitelist', 'wallet_address'),
    ),
  ),
}
