import type { AccountStatus, CurrencyCollection, TransactionDescription } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import { rootOf, type RecordedTransaction } from '../chain/recorded-transaction.js'
import { base64Hash, rawAddress } from '../shared/encodings.js'
import { factsOf, hashOf } from './facts.js'
import type { Json } from './json.js'
import { writeBlockRef } from './write-block-ref.js'
import { writeCurrencies } from './write-currencies.js'
import { writeMessage } from './write-message.js'

const STATUSES: Readonly<Record<AccountStatus, string>> = {
  'non-existing': 'nonexist',
  uninitialized: 'uninit',
  active: 'active',
  frozen: 'frozen',
}

const TYPES: Readonly<Record<TransactionDescription['type'], string>> = {
  generic: 'ord',
  storage: 'storage',
  'tick-tock': 'tick_tock',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
  'merge-prepare': 'merge_prepare',
  'merge-install': 'merge_install',
}

const SKIPPED = { 'no-state': 'no_state', 'bad-state': 'bad_state', 'no-gas': 'no_gas' } as const
const BOUNCES = { 'negative-funds': 'negfunds', 'no-funds': 'nofunds', ok: 'ok' } as const

/** Writes a row of `/transactions`. @param isPending true when its block is not indexed yet */
export function writeTransaction(one: RecordedTransaction, isPending: boolean): Json {
  const { transaction, inMessage, outMessages, before, after } = one
  return {
    account: rawAddress(one.address),
    hash: hashOf(one),
    lt: transaction.lt.toString(),
    now: transaction.now,
    mc_block_seqno: isPending ? 0 : one.seqno,
    trace_id: hashOf(rootOf(one)),
    ...(isPending && { trace_external_hash: externalHashOf(rootOf(one)) }),
    prev_trans_hash: base64Hash(transaction.prevTransactionHash),
    prev_trans_lt: transaction.prevTransactionLt.toString(),
    orig_status: STATUSES[transaction.oldStatus],
    end_status: STATUSES[transaction.endStatus],
    total_fees: transaction.totalFees.coins.toString(),
    total_fees_extra_currencies: writeCurrencies(transaction.totalFees.other ?? []),
    description: writeDescription(transaction.description),
    block_ref: writeBlockRef(one.address.workChain, one.seqno),
    in_msg: inMessage === undefined ? null : writeMessage(inMessage),
    out_msgs: outMessages.map(writeMessage),
    account_state_before: writeState(transaction.stateUpdate.oldHash, before),
    account_state_after: writeState(transaction.stateUpdate.newHash, after),
    emulated: isPending,
    finality: isPending ? 'pending' : 'finalized',
  }
}

/** Returns the hash of the external message, which identifies a pending trace. */
function externalHashOf({ inMessage }: RecordedTransaction): string | null {
  return inMessage === undefined ? null : factsOf(inMessage).normalizedHash
}

function writeState(hash: Buffer, account: AccountView): Json {
  const isThere = account.status !== 'nonexist'
  return {
    hash: base64Hash(hash),
    balance: isThere ? account.balance.toString() : null,
    extra_currencies: isThere ? writeCurrencies(account.extraCurrencies) : null,
    account_status: isThere ? account.status : null,
    frozen_hash: account.frozenHash === undefined ? null : base64Hash(account.frozenHash),
    data_hash: account.data === undefined ? null : base64Hash(account.data.hash()),
    code_hash: account.code === undefined ? null : base64Hash(account.code.hash()),
  }
}

function writeDescription(description: TransactionDescription): Json {
  const type = TYPES[description.type]
  if (description.type !== 'generic') return { type }
  const { storagePhase, creditPhase, computePhase, actionPhase, bouncePhase } = description
  return {
    type,
    aborted: description.aborted,
    destroyed: description.destroyed,
    credit_first: description.creditFirst,
    ...(storagePhase && {
      storage_ph: {
        storage_fees_collected: storagePhase.storageFeesCollected.toString(),
        ...whenPresent('storage_fees_due', storagePhase.storageFeesDue),
        status_change: storagePhase.statusChange,
      },
    }),
    ...(creditPhase && {
      credit_ph: {
        ...whenPresent('due_fees_collected', creditPhase.dueFeesColelcted),
        ...writeCredit(creditPhase.credit),
      },
    }),
    compute_ph: writeCompute(computePhase),
    ...(actionPhase && { action: writeAction(actionPhase) }),
    ...(bouncePhase && { bounce: writeBounce(bouncePhase) }),
  }
}

type Generic = Extract<TransactionDescription, { type: 'generic' }>

function writeCompute(phase: Generic['computePhase']): Json {
  if (phase.type === 'skipped') return { skipped: true, reason: SKIPPED[phase.reason] }
  // The real index uses the lower one of two gas limits, which is wrong where gas is free.
  const isSwapped = phase.gasFees < phase.gasUsed
  return {
    skipped: false,
    success: phase.success,
    msg_state_used: phase.messageStateUsed,
    account_activated: phase.accountActivated,
    gas_fees: (isSwapped ? phase.gasUsed : phase.gasFees).toString(),
    gas_used: (isSwapped ? phase.gasFees : phase.gasUsed).toString(),
    gas_limit: phase.gasLimit.toString(),
    ...whenPresent('gas_credit', phase.gasCredit),
    mode: phase.mode,
    exit_code: phase.exitCode,
    ...(typeof phase.exitArg === 'number' && { exit_arg: phase.exitArg }),
    vm_steps: phase.vmSteps,
    vm_init_state_hash: base64Hash(phase.vmInitStateHash),
    vm_final_state_hash: base64Hash(phase.vmFinalStateHash),
  }
}

function writeAction(phase: NonNullable<Generic['actionPhase']>): Json {
  return {
    success: phase.success,
    valid: phase.valid,
    no_funds: phase.noFunds,
    status_change: phase.statusChange,
    ...whenPresent('total_fwd_fees', phase.totalFwdFees),
    ...whenPresent('total_action_fees', phase.totalActionFees),
    result_code: phase.resultCode,
    ...(typeof phase.resultArg === 'number' && { result_arg: phase.resultArg }),
    tot_actions: phase.totalActions,
    spec_actions: phase.specActions,
    skipped_actions: phase.skippedActions,
    msgs_created: phase.messagesCreated,
    action_list_hash: base64Hash(phase.actionListHash),
    tot_msg_size: writeSize(phase.totalMessageSize),
  }
}

function writeBounce(phase: NonNullable<Generic['bouncePhase']>): Json {
  const type = BOUNCES[phase.type]
  if (phase.type === 'negative-funds') return { type }
  const msg_size = writeSize(phase.messageSize)
  return phase.type === 'no-funds'
    ? { type, msg_size, req_fwd_fees: phase.requiredForwardFees.toString() }
    : {
        type,
        msg_size,
        msg_fees: phase.messageFees.toString(),
        fwd_fees: phase.forwardFees.toString(),
      }
}

function writeCredit({ coins, other }: CurrencyCollection): Json {
  return {
    credit: coins.toString(),
    ...(other && other.size > 0 && { credit_extra_currencies: writeCurrencies(other) }),
  }
}

function writeSize({ cells, bits }: { cells: bigint; bits: bigint }): Json {
  return { cells: cells.toString(), bits: bits.toString() }
}

function whenPresent(name: string, amount: bigint | null | undefined): Json {
  return amount === undefined || amount === null ? {} : { [name]: amount.toString() }
}
