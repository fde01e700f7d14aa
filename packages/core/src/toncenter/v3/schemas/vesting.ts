import * as field from '../../schema/fields.js'

/**
 * A vesting contract. `total_amount` is nanocoins, durations are seconds. `start_time` is Unix seconds, bigint because the
 * contract's creator may have chosen any 64 bits. Source: API facts, part 2.3.
 */
export const vestingContract = field.object({
  address: field.optional(field.address),
  start_time: field.optional(field.bigint),
  total_duration: field.optional(field.int),
  unlock_period: field.optional(field.int),
  cliff_duration: field.optional(field.int),
  sender_address: field.optional(field.address),
  owner_address: field.optional(field.address),
  total_amount: field.optional(field.bigint),
  /** Accounts that may receive locked coins. */
  whitelist: field.nullableList(field.address),
})
