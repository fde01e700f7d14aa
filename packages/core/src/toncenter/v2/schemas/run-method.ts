import * as field from '../../schema/fields.js'
import { blockId } from './block.js'
import { transactionIdOrNone } from './transaction.js'
import { readLegacyStack, readTypedStack } from '../stack.js'

/** `smc.runResult`. The exit codes 0 and 1 mean success. Older responses lack the block and the transaction. */
export const runResult = field.object({
  gas_used: field.int,
  exit_code: field.int,
  stack: field.custom(readLegacyStack),
  block_id: field.optional(blockId),
  last_transaction_id: field.optional(transactionIdOrNone),
})

/** `smc.runResult` with typed stack entries. */
export const runResultStd = field.object({
  gas_used: field.int,
  exit_code: field.int,
  stack: field.custom(readTypedStack),
})
