import type {
  TransactionActionPhase,
  TransactionBouncePhase,
  TransactionComputePhase,
  TransactionDescription,
  TransactionStoragePhase,
} from '@ton/core'
import { ContractDataError } from './contract-error.js'
import type { V3Transaction } from '../v3/generated/types.js'
import { fieldsOf, hashToBigint, toCurrencies, translate } from './fields.js'

type Description = V3Transaction['description']
type Part<Name extends keyof Description> = NonNullable<Description[Name]>

const STATUS_CHANGES = { unchanged: 'unchanged', frozen: 'frozen', deleted: 'deleted' } as const
const REASONS = { no_state: 'no-state', bad_state: 'bad-state', no_gas: 'no-gas' } as const

/**
 * Rebuilds the description of a transaction. Returns all candidates, the likeliest first: the index swaps `gas_used` and
 * `gas_fees` where gas was free.
 * @throws {ContractDataError} for split and merge transactions, which the network has never had.
 */
export function rebuildDescriptions(description: Description): TransactionDescription[] {
  const read = fieldsOf(description, 'description')
  switch (description.type) {
    case 'ord':
      return computeOf(read('compute_ph')).map((computePhase) => ({
        type: 'generic',
        creditFirst: read('credit_first'),
        storagePhase: description.storage_ph && storageOf(description.storage_ph),
        creditPhase: description.credit_ph && creditOf(description.credit_ph),
        computePhase,
        actionPhase: description.action && actionOf(description.action),
        bouncePhase: description.bounce && bounceOf(description.bounce),
        aborted: read('aborted'),
        destroyed: read('destroyed'),
      }))
    case 'tick_tock':
      return computeOf(read('compute_ph')).map((computePhase) => ({
        type: 'tick-tock',
        isTock: read('is_tock'),
        storagePhase: storageOf(read('storage_ph')),
        computePhase,
        actionPhase: description.action && actionOf(description.action),
        aborted: read('aborted'),
        destroyed: read('destroyed'),
      }))
    case 'storage':
      return [{ type: 'storage', storagePhase: storageOf(read('storage_ph')) }]
    default: {
      const problem = `transactions of the type ${description.type} are not supported`
      throw new ContractDataError({ subject: 'transaction', path: 'description.type', problem })
    }
  }
}

function storageOf(fields: Part<'storage_ph'>): TransactionStoragePhase {
  const path = 'description.storage_ph'
  return {
    storageFeesCollected: fieldsOf(fields, path)('storage_fees_collected'),
    storageFeesDue: fields.storage_fees_due,
    statusChange: translate(STATUS_CHANGES, fields.status_change, `${path}.status_change`),
  }
}

function creditOf(fields: Part<'credit_ph'>) {
  const other = toCurrencies(fields.credit_extra_currencies)
  return {
    dueFeesColelcted: fields.due_fees_collected,
    credit: { coins: fields.credit ?? 0n, ...(other && { other }) },
  }
}

function computeOf(fields: Part<'compute_ph'>): TransactionComputePhase[] {
  const path = 'description.compute_ph'
  const read = fieldsOf(fields, path)
  if (fields.skipped ?? fields.type === 'skipped') {
    const reason = translate(REASONS, fields.reason ?? fields.skip_reason, `${path}.reason`)
    return [{ type: 'skipped', reason }]
  }
  const gasFees = read('gas_fees')
  const gasUsed = read('gas_used')
  const phase = {
    type: 'vm',
    success: read('success'),
    messageStateUsed: read('msg_state_used'),
    accountActivated: read('account_activated'),
    gasFees,
    gasUsed,
    gasLimit: read('gas_limit'),
    gasCredit: fields.gas_credit,
    mode: read('mode'),
    exitCode: read('exit_code'),
    exitArg: fields.exit_arg,
    vmSteps: read('vm_steps'),
    vmInitStateHash: hashToBigint(read('vm_init_state_hash')),
    vmFinalStateHash: hashToBigint(read('vm_final_state_hash')),
  } as const
  return gasUsed === gasFees ? [phase] : [phase, { ...phase, gasFees: gasUsed, gasUsed: gasFees }]
}

function actionOf(fields: Part<'action'>): TransactionActionPhase {
  const path = 'description.action'
  const read = fieldsOf(fields, path)
  return {
    success: read('success'),
    valid: read('valid'),
    noFunds: read('no_funds'),
    statusChange: translate(STATUS_CHANGES, fields.status_change, `${path}.status_change`),
    totalFwdFees: fields.total_fwd_fees,
    totalActionFees: fields.total_action_fees,
    resultCode: read('result_code'),
    resultArg: fields.result_arg,
    totalActions: read('tot_actions'),
    specActions: read('spec_actions'),
    skippedActions: read('skipped_actions'),
    messagesCreated: read('msgs_created'),
    actionListHash: hashToBigint(read('action_list_hash')),
    totalMessageSize: sizeOf(fields.tot_msg_size),
  }
}

function bounceOf(fields: Part<'bounce'>): TransactionBouncePhase {
  const path = 'description.bounce'
  const read = fieldsOf(fields, path)
  const messageSize = sizeOf(fields.msg_size)
  return translate<() => TransactionBouncePhase>(
    {
      negfunds: () => ({ type: 'negative-funds' }),
      nofunds: () => ({
        type: 'no-funds',
        messageSize,
        requiredForwardFees: read('req_fwd_fees'),
      }),
      ok: () => ({
        type: 'ok',
        messageSize,
        messageFees: read('msg_fees'),
        forwardFees: read('fwd_fees'),
      }),
    },
    fields.type,
    `${path}.type`,
  )()
}

/** The API omits a size of 0. */
function sizeOf(fields: Part<'action'>['tot_msg_size']): { cells: bigint; bits: bigint } {
  return { cells: fields?.cells ?? 0n, bits: fields?.bits ?? 0n }
}
