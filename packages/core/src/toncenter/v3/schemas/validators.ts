import * as field from '../../schema/fields.js'
import { inTransaction, requestedTime, validatorKeys } from './staking-common.js'

// Amounts are in nanocoins, times and durations in seconds. An election id is the time at which its cycle starts.
// Source: the index server, models of staking.

const optionalAmount = field.optional(field.bigint)
const optionalInt = field.optional(field.int)

export const validatorEvents = field.object({
  events: field.presentList(
    field.object({
      ...inTransaction,
      type: field.oneOf('stake_event.type', [
        'stake_accepted',
        'stake_rejected',
        'stake_recovered',
      ]),
      ...validatorKeys,
      amount: field.bigint,
      election_id: optionalInt,
      query_id: optionalAmount,
      /** The elector's code for a rejection. */
      reason: optionalInt,
    }),
  ),
  ...requestedTime,
})

/** `max_factor` is the factor that the validator declared, times 65536. The cycle's `max_stake_factor` caps it. */
const participant = {
  ...validatorKeys,
  validator_index: optionalInt,
  stake: optionalAmount,
  max_factor: optionalInt,
}

export const election = field.object({
  election_id: field.int,
  elect_close: optionalInt,
  min_stake: optionalAmount,
  total_stake: optionalAmount,
  total_participants: optionalInt,
  failed: field.optional(field.bool),
  finished: field.optional(field.bool),
  /** With `return_participants` only. */
  participants: field.nullableList(field.object(participant)),
})

const vote = field.object({
  validator_index: optionalInt,
  validator_pubkey: validatorKeys.validator_pubkey,
  adnl_addr: validatorKeys.adnl_addr,
  weight: optionalAmount,
})

/** A complaint about a validator. The fine is `suggested_fine`, and `suggested_fine_part` of the stake, times 2^32. */
export const complaint = field.object({
  cycle_start: field.int,
  election_id: optionalInt,
  complaint_hash: field.hash,
  ...validatorKeys,
  description_boc: field.optional(field.bytes),
  created_at: optionalInt,
  severity: optionalInt,
  reward_address: field.optional(field.address),
  paid: optionalAmount,
  suggested_fine: optionalAmount,
  suggested_fine_part: optionalInt,
  voted_validators: field.nullableList(vote),
  /** The hash of the set of validators that votes. */
  vset_id: field.optional(field.string),
  /** The weight of votes that is missing. Negative if there are more than needed. */
  weight_remaining: optionalAmount,
  approved_percent: field.optional(field.number),
  is_passed: field.optional(field.bool),
})

/** `min_stake` and `max_stake` are of the selected validators, the limits of the network's configuration. */
export const cycle = field.object({
  cycle_start: field.int,
  cycle_end: field.int,
  election_id: optionalInt,
  /** Numbers of validators, and of the masterchain's validators. */
  total: optionalInt,
  main: optionalInt,
  ...field.each(
    optionalAmount,
    'total_weight',
    'total_stake',
    'min_stake',
    'max_stake',
    'min_stake_limit',
    'max_stake_limit',
    'min_total_stake',
  ),
  ...field.each(
    optionalInt,
    'validators_elected_for',
    'elections_start_before',
    'elections_end_before',
    'stake_held_for',
    'max_validators',
    'max_main_validators',
    'min_validators',
  ),
  /** The largest stake in units of the smallest, times 65536. */
  max_stake_factor: optionalInt,
  /** With `return_validators` only. */
  validators: field.nullableList(
    field.object({
      ...participant,
      weight: optionalAmount,
      complaints: field.nullableList(complaint),
    }),
  ),
})
