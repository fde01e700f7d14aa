import * as field from '../../schema/fields.js'
import { blockId } from './block.js'
import { transactionIdOrNone } from './transaction.js'
import { readLegacyStack, readTypedStack } from '../stack.js'

/** `smc.runResult`. The exit codes 0 and 1 mean success. Older responses lack the block and the transaction. */
export const runResult = field.object({
  /** Units of gas. */
  gas_used: field.int,
  /** 0 and 1 mean success. */
  exit_code: field.int,
  /** The returned values, the first one first. */
  stack: field.custom(readLegacyStack),
  /** The block of the state that was used. */
  block_id: field.optional(blockId),
  /** The last transaction of the account. */
  last_transaction_id: field.optional(transactionIdOrNone),
})

/** `smc.runResult` with typed stack entries. */
export const runResultStd = field.object({
  /** Units of gas. */
  gas_used: field.int,
  /** 0 and 1 mean success. */
  exit_code: field.int,
  /** The returned values, the first one first. */
  stack: field.custom(readTypedStack),
})
