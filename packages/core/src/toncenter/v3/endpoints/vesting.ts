import { optionalParam } from '../../schema/param.js'
import { boolParam } from '../../schema/params.js'
import { exactlyOne, needs } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { addressesParam, limitParam, offsetParam } from '../params.js'

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
    {
      /** The contracts. */
      contract_address: addressesParam,
      /** Their owners or senders. */
      wallet_address: addressesParam,
      /** Also matches accounts on the contracts' whitelists. @default false */
      check_whitelist: optionalParam(boolParam),
      /** Maximum number of rows. @default 10 */
      limit: limitParam(),
      /** Number of rows to skip. @default 0 */
      offset: offsetParam,
    },
    {
      rules: [
        exactlyOne('contract_address', 'wallet_address'),
        // Otherwise the server ignores it.
        needs('check_whitelist', 'wallet_address'),
      ],
    },
  ),
}
