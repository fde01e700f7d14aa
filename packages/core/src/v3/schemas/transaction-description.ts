import {
  bigintField,
  boolField,
  enumField,
  intField,
  lenientField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { extraCurrencies } from './message.js'
import { stateHash } from './lenient.js'

const STATUS_CHANGES = ['unchanged', 'frozen', 'deleted'] as const
const SKIP_REASONS = ['no_state', 'bad_state', 'no_gas', 'suspended'] as const

const messageSize = objectField({
  cells: optionalField(bigintField),
  bits: optionalField(bigintField),
})

const storagePhase = objectField({
  storage_fees_collected: optionalField(bigintField),
  storage_fees_due: optionalField(bigintField),
  status_change: optionalField(enumField('storage_ph.status_change', STATUS_CHANGES)),
})

const creditPhase = objectField({
  due_fees_collected: optionalField(bigintField),
  /** What the account was credited with. */
  credit: optionalField(bigintField),
  credit_extra_currencies: extraCurrencies,
})

/**
 * The contract's run. When `skipped`, nothing but `reason` is known.
 *
 * The server swaps `gas_fees` and `gas_used` where the fees are less than the gas. For accounts whose gas costs nothing
 * (special accounts, as in tick-tock transactions) that is wrong: `gas_used` is 0 there and the gas stands in
 * `gas_fees`. Source: API facts, part 2.3.
 */
const computePhase = objectField({
  /** Servers before the middle of 2024 have `type` and `skip_reason` in place of `skipped` and `reason`. */
  type: optionalField(enumField('compute_ph.type', ['vm', 'skipped'])),
  skip_reason: optionalField(enumField('compute_ph.skip_reason', SKIP_REASONS)),
  skipped: optionalField(boolField),
  reason: optionalField(enumField('compute_ph.reason', SKIP_REASONS)),
  success: optionalField(boolField),
  msg_state_used: optionalField(boolField),
  account_activated: optionalField(boolField),
  gas_fees: optionalField(bigintField),
  gas_used: optionalField(bigintField),
  /** 0 for a message from outside, which has `gas_credit` instead. */
  gas_limit: optionalField(bigintField),
  gas_credit: optionalField(bigintField),
  mode: optionalField(intField),
  /** 0 and 1 are success. */
  exit_code: optionalField(intField),
  exit_arg: optionalField(intField),
  vm_steps: optionalField(intField),
  vm_init_state_hash: stateHash('description.vm_init_state_hash'),
  vm_final_state_hash: stateHash('description.vm_final_state_hash'),
})

const actionPhase = objectField({
  success: optionalField(boolField),
  valid: optionalField(boolField),
  no_funds: optionalField(boolField),
  status_change: optionalField(enumField('action.status_change', STATUS_CHANGES)),
  total_fwd_fees: optionalField(bigintField),
  total_action_fees: optionalField(bigintField),
  result_code: optionalField(intField),
  result_arg: optionalField(intField),
  tot_actions: optionalField(intField),
  spec_actions: optionalField(intField),
  skipped_actions: optionalField(intField),
  msgs_created: optionalField(intField),
  action_list_hash: stateHash('description.action_list_hash'),
  tot_msg_size: lenientField('description.tot_msg_size', messageSize),
})

/** The way back of a message that its receiver could not take: `ok` when its money went back. */
const bouncePhase = objectField({
  type: optionalField(enumField('bounce.type', ['ok', 'negfunds', 'nofunds'])),
  msg_size: lenientField('description.msg_size', messageSize),
  req_fwd_fees: optionalField(bigintField),
  msg_fees: optionalField(bigintField),
  fwd_fees: optionalField(bigintField),
})

const splitInfo = objectField({
  cur_shard_pfx_len: optionalField(intField),
  acc_split_depth: optionalField(intField),
  this_addr: optionalField(textField),
  sibling_addr: optionalField(textField),
})

/** What happened in a transaction, phase by phase. A phase that did not take place is absent. Source: API facts, part 2.3. */
export const description = objectField({
  type: enumField('description.type', [
    'ord',
    'storage',
    'tick_tock',
    'split_prepare',
    'split_install',
    'merge_prepare',
    'merge_install',
  ]),
  /** Whether the contract did not run to a good end. No verdict about money: see the transaction. */
  aborted: optionalField(boolField),
  destroyed: optionalField(boolField),
  credit_first: optionalField(boolField),
  is_tock: optionalField(boolField),
  installed: optionalField(boolField),
  storage_ph: optionalField(storagePhase),
  credit_ph: optionalField(creditPhase),
  compute_ph: optionalField(computePhase),
  action: optionalField(actionPhase),
  bounce: optionalField(bouncePhase),
  split_info: lenientField('description.split_info', splitInfo),
})
