import * as field from '../../schema/fields.js'
import { extraCurrencies } from './message.js'
import { stateHash } from './lenient.js'

const STATUS_CHANGES = ['unchanged', 'frozen', 'deleted'] as const
const SKIP_REASONS = ['no_state', 'bad_state', 'no_gas', 'suspended'] as const

const messageSize = field.object({
  cells: field.optional(field.bigint),
  bits: field.optional(field.bigint),
})

const storagePhase = field.object({
  /** Nanocoins. */
  storage_fees_collected: field.optional(field.bigint),
  /** Nanocoins that the account still owes. */
  storage_fees_due: field.optional(field.bigint),
  status_change: field.optional(field.oneOf('storage_ph.status_change', STATUS_CHANGES)),
})

const creditPhase = field.object({
  /** Debt that was paid, nanocoins. */
  due_fees_collected: field.optional(field.bigint),
  /** The amount credited to the account. */
  credit: field.optional(field.bigint),
  credit_extra_currencies: extraCurrencies,
})

/**
 * The execution of the contract. If `skipped`, only `reason` is present.
 *
 * The server swaps `gas_fees` and `gas_used` where the fees are less than the gas. This is wrong for accounts with free
 * gas (special accounts, for example in tick-tock transactions): their `gas_used` is 0, and `gas_fees` is the gas.
 * Source: API facts, part 2.3.
 */
const computePhase = field.object({
  /** Servers before mid-2024 have `type` and `skip_reason` instead of `skipped` and `reason`. */
  type: field.optional(field.oneOf('compute_ph.type', ['vm', 'skipped'])),
  skip_reason: field.optional(field.oneOf('compute_ph.skip_reason', SKIP_REASONS)),
  /** `true` if the contract was not executed. */
  skipped: field.optional(field.bool),
  /** The reason why it was not executed. */
  reason: field.optional(field.oneOf('compute_ph.reason', SKIP_REASONS)),
  success: field.optional(field.bool),
  msg_state_used: field.optional(field.bool),
  account_activated: field.optional(field.bool),
  /** Nanocoins. */
  gas_fees: field.optional(field.bigint),
  /** Units of gas. */
  gas_used: field.optional(field.bigint),
  /** 0 for an external message, which has `gas_credit` instead. */
  gas_limit: field.optional(field.bigint),
  gas_credit: field.optional(field.bigint),
  mode: field.optional(field.int),
  /** 0 and 1 mean success. */
  exit_code: field.optional(field.int),
  exit_arg: field.optional(field.int),
  vm_steps: field.optional(field.int),
  vm_init_state_hash: stateHash('description.vm_init_state_hash'),
  vm_final_state_hash: stateHash('description.vm_final_state_hash'),
})

const actionPhase = field.object({
  success: field.optional(field.bool),
  valid: field.optional(field.bool),
  /** `true` if the balance was too low for the messages to send. */
  no_funds: field.optional(field.bool),
  status_change: field.optional(field.oneOf('action.status_change', STATUS_CHANGES)),
  /** Nanocoins. */
  total_fwd_fees: field.optional(field.bigint),
  /** Nanocoins. */
  total_action_fees: field.optional(field.bigint),
  /** 0 means success. */
  result_code: field.optional(field.int),
  result_arg: field.optional(field.int),
  /** Number of actions. */
  tot_actions: field.optional(field.int),
  spec_actions: field.optional(field.int),
  /** Actions that failed and were ignored. */
  skipped_actions: field.optional(field.int),
  /** Number of messages that were sent. */
  msgs_created: field.optional(field.int),
  action_list_hash: stateHash('description.action_list_hash'),
  tot_msg_size: field.lenient('description.tot_msg_size', messageSize),
})

/** The return of a message that its receiver could not process: `ok` if its value was returned. */
const bouncePhase = field.object({
  /** `ord` is a usual transaction. */
  type: field.optional(field.oneOf('bounce.type', ['ok', 'negfunds', 'nofunds'])),
  msg_size: field.lenient('description.msg_size', messageSize),
  req_fwd_fees: field.optional(field.bigint),
  msg_fees: field.optional(field.bigint),
  fwd_fees: field.optional(field.bigint),
})

const splitInfo = field.object({
  cur_shard_pfx_len: field.optional(field.int),
  acc_split_depth: field.optional(field.int),
  this_addr: field.optional(field.string),
  sibling_addr: field.optional(field.string),
})

/** The phases of a transaction. A phase that did not take place is absent. Source: API facts, part 2.3. */
export const description = field.object({
  /** `ord` is a usual transaction. */
  type: field.oneOf('description.type', [
    'ord',
    'storage',
    'tick_tock',
    'split_prepare',
    'split_install',
    'merge_prepare',
    'merge_install',
  ]),
  /** `true` if the contract did not succeed. It does not mean that money was lost: see the transaction. */
  aborted: field.optional(field.bool),
  /** `true` if the account was deleted. */
  destroyed: field.optional(field.bool),
  credit_first: field.optional(field.bool),
  is_tock: field.optional(field.bool),
  installed: field.optional(field.bool),
  /** Payment for storage. */
  storage_ph: field.optional(storagePhase),
  /** Credit of the incoming value. */
  credit_ph: field.optional(creditPhase),
  /** Execution of the contract. */
  compute_ph: field.optional(computePhase),
  /** Messages to send and other actions of the contract. */
  action: field.optional(actionPhase),
  /** Return of the message after a failure. */
  bounce: field.optional(bouncePhase),
  split_info: field.lenient('description.split_info', splitInfo),
})
