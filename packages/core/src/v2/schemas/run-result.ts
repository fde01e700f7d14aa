import { intField, objectField, optionalField } from '../../schema/fields.js'
import { blockId } from './block.js'
import { transactionIdOrNone } from './transaction.js'
import { legacyStackField, typedStackField } from '../stack-fields.js'

/** `smc.runResult`. The exit codes 0 and 1 are success. The block and the transaction are missing in older answers. */
export const runResult = objectField({
  gas_used: intField,
  exit_code: intField,
  stack: legacyStackField,
  block_id: optionalField(blockId),
  last_transaction_id: optionalField(transactionIdOrNone),
})

/** `smc.runResult` with typed stack entries. */
export const runResultStd = objectField({
  gas_used: intField,
  exit_code: intField,
  stack: typedStackField,
})
