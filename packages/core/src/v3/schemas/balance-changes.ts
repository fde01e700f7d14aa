import { nullableMapField } from '../../schema/collections.js'
import { bigintField, objectField } from '../../schema/fields.js'

/**
 * What a trace or an action changed, by raw address in upper case. `changes` and `fees` are nanocoins; `jettons` are
 * base units, by owner and then by the jetton's master. What left an account is negative. Nanocoins come as JSON
 * numbers of 64 bits here, and lose no digit. Source: API facts, part 2.3.
 */
export const balanceChanges = objectField({
  changes: nullableMapField(bigintField),
  fees: nullableMapField(bigintField),
  jettons: nullableMapField(nullableMapField(bigintField)),
})
