import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { exactlyOne, needs, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { limitParam, manyParam, offsetParam } from '../params.js'

const addresses = optionalParam(manyParam(addressParam))

/** Vesting: coins that are unlocked over time. */
export const vesting = {
  /**
   * Contracts that unlock coins step by step.
   * `total_amount` is in nanocoins, `start_time` Unix seconds, durations are seconds.
   * @example
   * const { vesting_contracts } = await v3.vesting({ wallet_address: address })
   * for (const { total_amount, start_time } of vesting_contracts) {
   *   console.log(total_amount, new Date(Number(start_time) * 1000))
   * }
   */
  vesting: getEndpoint('/vesting', {
    params: paramsObject(
      {
        /** The contracts. */
        contract_address: addresses,
        /** Their owners or senders. */
        wallet_address: addresses,
        /** Whether accounts of the contracts' whitelists count as well. @default false */
        check_whitelist: optionalParam(boolParam),
        /** How many at most. @default 10 */
        limit: limitParam(),
        /** How many to skip. @default 0 */
        offset: offsetParam,
      },
      exactlyOne('contract_address', 'wallet_address'),
      // The server ignores it otherwise.
      needs('check_whitelist', 'wallet_address'),
    ),
  }),
}
