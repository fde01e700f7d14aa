import { enumParam, optionalParam } from '../../schema/param.js'
import { addressParam } from '../../schema/params.js'
import { atLeastOne } from '../../schema/params-object.js'
import { inTime, limitParam } from '../params.js'
import { getEndpoint } from '../endpoint.js'

const page = {
  /** Start time. */
  start_utime: inTime.start_utime,
  /** End time. */
  end_utime: inTime.end_utime,
  /** Maximum number of rows. @default 100 */
  limit: limitParam(100),
}

/** Nominator pools: stakes, rewards, events. */
export const nominatorPools = {
  /**
   * Returns a nominator pool: its validator, stakes and nominators. Amounts are in nanocoins.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the account is not a nominator pool.
   * @example
   * const pool = await v3.stakingNominatorPoolsPool({ pool: address })
   * console.log(pool.nominators_count, pool.min_nominator_stake)
   */
  stakingNominatorPoolsPool: getEndpoint('/staking/nominatorPools/pool', {
    /** The pool. */
    pool: addressParam,
  }),

  /**
   * Returns the stakes of a nominator in all nominator pools, in nanocoins.
   * @example
   * const nominator = await v3.stakingNominatorPoolsNominator({ nominator: address })
   * for (const { pool_address, balance } of nominator.nominator_pools) {
   *   console.log(pool_address, balance)
   * }
   */
  stakingNominatorPoolsNominator: getEndpoint('/staking/nominatorPools/nominator', {
    /** The nominator. */
    nominator: addressParam,
  }),

  /**
   * Returns deposits, withdrawals and rewards of the nominators of a pool, newest first. Amounts are in nanocoins.
   * @example
   * const { events } = await v3.stakingNominatorPoolsNominatorEvents({ pool: address })
   * for (const { type, nominator_address, amount } of events) {
   *   console.log(type, nominator_address, amount)
   * }
   */
  stakingNominatorPoolsNominatorEvents: getEndpoint('/staking/nominatorPools/nominatorEvents', {
    /** The pool. */
    pool: addressParam,
    /** The nominator. @default all */
    nominator: optionalParam(addressParam),
    ...page,
  }),

  /**
   * Returns the rewards of a nominator in a pool, newest first, in nanocoins.
   * `total_on_page` is the sum of the returned rewards, not of all.
   * @example
   * const parties = { nominator: source, pool: address }
   * const { rewards } = await v3.stakingNominatorPoolsNominatorRewards(parties)
   * for (const { utime, reward } of rewards) console.log(new Date(utime * 1000), reward)
   */
  stakingNominatorPoolsNominatorRewards: getEndpoint('/staking/nominatorPools/nominatorRewards', {
    /** The nominator. */
    nominator: addressParam,
    /** The pool. */
    pool: addressParam,
    ...page,
  }),

  /**
   * Returns rewards, penalties, deposits and withdrawals of the validators of pools, newest first. Amounts are in nanocoins.
   * @example
   * const { events } = await v3.stakingNominatorPoolsValidatorEvents({ pool: address })
   * for (const { type, cycle_start, amount } of events) console.log(type, cycle_start, amount)
   */
  stakingNominatorPoolsValidatorEvents: getEndpoint(
    '/staking/nominatorPools/validatorEvents',
    {
      /** The validator. */
      validator: optionalParam(addressParam),
      /** The pool. */
      pool: optionalParam(addressParam),
      /** The type of the events. @default all */
      type: optionalParam(enumParam('reward', 'penalty', 'deposit', 'withdrawal')),
      ...page,
    },
    { rules: [atLeastOne('validator', 'pool')] },
  ),

  /**
   * Returns the rewards of the validator of a pool, newest first, in nanocoins.
   * `total_on_page` is the sum of the returned rewards, not of all.
   * @example
   * const parties = { validator: source, pool: address }
   * const { rewards } = await v3.stakingNominatorPoolsValidatorRewards(parties)
   * for (const { cycle_start, reward } of rewards) console.log(cycle_start, reward)
   */
  stakingNominatorPoolsValidatorRewards: getEndpoint('/staking/nominatorPools/validatorRewards', {
    /** The validator. */
    validator: addressParam,
    /** The pool. */
    pool: addressParam,
    ...page,
  }),
}
