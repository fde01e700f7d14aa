import * as field from '../../schema/fields.js'
import { knownAddresses } from './address-book.js'
import { inTransaction, requestedTime } from './staking-common.js'

// Amounts are in nanocoins, times are Unix seconds. Source: the index server, models of staking.

const optionalAmount = field.optional(field.bigint)
const balances = { balance: field.bigint, pending_balance: optionalAmount }

/** A nominator pool. `validator_reward_share` is in ten-thousandths. */
export const nominatorPool = field.object({
  /** 0: the stake is in the pool. 1: it was sent. 2: the elector has accepted it. */
  state: field.optional(field.int),
  stake_amount_sent: optionalAmount,
  validator_amount: optionalAmount,
  validator_address: field.optional(field.address),
  validator_reward_share: field.optional(field.int),
  nominators_count: field.optional(field.int),
  max_nominators_count: field.optional(field.int),
  min_validator_stake: optionalAmount,
  min_nominator_stake: optionalAmount,
  active_nominators: field.nullableList(field.object({ address: field.address, ...balances })),
  ...knownAddresses,
})

/** The stake of a nominator in a pool. */
export const poolStake = field.object({ pool_address: field.address, ...balances })

const changedBalance = {
  amount: field.bigint,
  ...field.each(optionalAmount, 'balance_delta', 'balance_before', 'balance_after'),
}

export const nominatorEvents = field.object({
  events: field.presentList(
    field.object({
      ...inTransaction,
      type: field.oneOf('nominator_event.type', [
        'reward',
        'deposit',
        'withdrawal',
        'pending_deposit_activation',
        'withdrawal_request',
      ]),
      pool_address: field.address,
      nominator_address: field.address,
      ...changedBalance,
      ...field.each(
        optionalAmount,
        'pending_balance_delta',
        'pending_balance_before',
        'pending_balance_after',
      ),
      withdraw_request_before: field.optional(field.bool),
      withdraw_request_after: field.optional(field.bool),
    }),
  ),
  ...requestedTime,
})

/** The validation cycle. */
const ofCycle = {
  cycle_start: field.optional(field.int),
  query_id: optionalAmount,
}

export const poolValidatorEvents = field.object({
  events: field.presentList(
    field.object({
      ...inTransaction,
      type: field.oneOf('validator_event.type', ['reward', 'penalty', 'deposit', 'withdrawal']),
      pool_address: field.address,
      validator_address: field.address,
      ...changedBalance,
      ...ofCycle,
      validator_reward_share: field.optional(field.int),
    }),
  ),
  ...requestedTime,
})

/** `total_on_page` is the sum of the listed rewards. */
const rewardsOf = {
  total_on_page: field.bigint,
  ...requestedTime,
}

const reward = { ...inTransaction, reward: field.bigint }

export const nominatorRewards = field.object({
  rewards: field.presentList(field.object({ ...reward, stake_before: optionalAmount })),
  ...rewardsOf,
})

export const poolValidatorRewards = field.object({
  rewards: field.presentList(
    field.object({ ...reward, balance_before: optionalAmount, ...ofCycle }),
  ),
  ...rewardsOf,
})
