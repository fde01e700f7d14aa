import { nullableListField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  bigintField,
  intField,
  objectField,
  optionalField,
} from '../../schema/fields.js'
import { knownAddresses } from './address-book.js'

/**
 * Coins that unlock step by step. `total_amount` is nanocoins, durations are seconds. `start_time` is Unix seconds,
 * bigint since the contract's maker may have chosen any 64 bits. Source: API facts, part 2.3.
 */
const vestingContract = objectField({
  address: optionalField(addressField),
  start_time: optionalField(bigintField),
  total_duration: optionalField(intField),
  unlock_period: optionalField(intField),
  cliff_duration: optionalField(intField),
  sender_address: optionalField(addressField),
  owner_address: optionalField(addressField),
  total_amount: optionalField(bigintField),
  /** Accounts that locked coins may be sent to. */
  whitelist: nullableListField(addressField),
})

/** Contracts of a filter. */
export const vestingContracts = objectField({
  vesting_contracts: presentListField(vestingContract),
  ...knownAddresses,
})
