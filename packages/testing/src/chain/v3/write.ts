import {
  beginCell,
  loadMessage,
  storeStateInit,
  type AccountStatus,
  type Cell,
  type CurrencyCollection,
  type TransactionDescription,
} from '@ton/core'
import type { AccountView } from '../account-view.js'
import type { ChainBlock } from '../block.js'
import { normalizedHash } from '../message-hash.js'
import { rootOf, type RecordedTransaction } from '../recorded-transaction.js'
import { base64Boc, base64Hash, rawAddress } from '../spellings.js'
import { blockHash } from '../v2/write.js'

type Json = Record<string, unknown>

const WHOLE_SHARD = '8000000000000000'

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

/** A masterchain block. */
export function writeBlock({ seqno, utime, transactions }: ChainBlock): Json {
  const lts = transactions.map(({ transaction }) => transaction.lt)
  return {
    ...writeBlockRef(-1, seqno),
    root_hash: blockHash('root', -1, seqno),
    file_hash: blockHash('file', -1, seqno),
    gen_utime: utime.toString(),
    start_lt: (lts[0] ?? 0n).toString(),
    end_lt: (lts.at(-1) ?? 0n).toString(),
    validator_list_hash_short: -2_119_799_769,
    tx_count: 0,
    masterchain_block_ref: writeBlockRef(-1, seqno),
    prev_blocks: [writeBlockRef(-1, seqno - 1)],
  }
}

/** A row of `/accountStates`. */
export function writeAccount(address: string, account: AccountView, withBoc: boolean): Json {
  return {
    address,
    account_state_hash: base64Hash(stateHash(account)),
    balance: account.balance.toString(),
    extra_currencies: writeCurrencies(account.extraCurrencies),
    status: account.status,
    ...(account.frozenHash !== undefined && { frozen_hash: base64Hash(account.frozenHash) }),
    last_transaction_hash: base64Hash(account.last.hash),
    last_transaction_lt: account.last.lt.toString(),
    ...(account.data !== undefined && { data_hash: base64Hash(account.data.hash()) }),
    ...(account.code !== undefined && { code_hash: base64Hash(account.code.hash()) }),
    ...(withBoc && account.data !== undefined && { data_boc: base64Boc(account.data) }),
    ...(withBoc && account.code !== undefined && { code_boc: base64Boc(account.code) }),
    contract_methods: null,
    interfaces: null,
  }
}

/** A row of `/transactions`. */
export function writeTransaction(one: RecordedTransaction): Json {
  const { transaction, inMessage, outMessages, before, after } = one
  return {
    account: rawAddress(one.address),
    hash: base64Hash(transaction.hash()),
    lt: transaction.lt.toString(),
    now: transaction.now,
    mc_block_seqno: one.seqno,
    trace_id: base64Hash(rootOf(one).transaction.hash()),
    prev_trans_hash: base64Hash(transaction.prevTransactionHash),
    prev_trans_lt: transaction.prevTransactionLt.toString(),
    orig_status: STATUSES[transaction.oldStatus],
    end_status: STATUSES[transaction.endStatus],
    total_fees: transaction.totalFees.coins.toString(),
    total_fees_extra_currencies: writeCurrencies(transaction.totalFees.other ?? []),
    description: writeDescription(transaction.description),
    block_ref: writeBlockRef(0, one.seqno),
    in_msg: inMessage === undefined ? null : writeMessage(inMessage),
    out_msgs: outMessages.map(writeMessage),
    account_state_before: writeState(transaction.stateUpdate.oldHash, before),
    account_state_after: writeState(transaction.stateUpdate.newHash, after),
    emulated: false,
    finality: 'finalized',
  }
}

/** A message, as a transaction has it. */
export function writeMessage(cell: Cell): Json {
  const { info, body, init } = loadMessage(cell.beginParse())
  const isInternal = info.type === 'internal'
  const slice = body.beginParse()
  return {
    hash: base64Hash(cell.hash()),
    ...(info.type === 'external-in' && { hash_norm: base64Hash(normalizedHash(cell)) }),
    source: info.type === 'external-in' ? null : rawAddress(info.src),
    destination: info.type === 'external-out' ? null : rawAddress(info.dest),
    value: isInternal ? info.value.coins.toString() : null,
    value_extra_currencies: isInternal ? writeCurrencies(info.value.other ?? []) : null,
    fwd_fee: isInternal ? info.forwardFee.toString() : null,
    ihr_fee: isInternal ? '0' : null,
    extra_flags: isInternal ? info.ihrFee.toString() : null,
    created_lt: info.type === 'external-in' ? null : info.createdLt.toString(),
    created_at: info.type === 'external-in' ? null : info.createdAt.toString(),
    opcode:
      slice.remainingBits < 32 ? null : `0x${slice.preloadUint(32).toString(16).padStart(8, '0')}`,
    ihr_disabled: isInternal ? info.ihrDisabled : null,
    bounce: isInternal ? info.bounce : null,
    bounced: isInternal ? info.bounced : null,
    import_fee: info.type === 'external-in' ? '0' : null,
    message_content: { hash: base64Hash(body.hash()), body: base64Boc(body), decoded: null },
    init_state: init ? writeCell(beginCell().store(storeStateInit(init)).endCell()) : null,
  }
}

function writeCell(cell: Cell): Json {
  return { hash: base64Hash(cell.hash()), body: base64Boc(cell) }
}

function writeState(hash: Buffer, account: AccountView): Json {
  return {
    hash: base64Hash(hash),
    balance: account.balance.toString(),
    extra_currencies: writeCurrencies(account.extraCurrencies),
    account_status: account.status,
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
    ...(actionPhase && {
      action: {
        success: actionPhase.success,
        valid: actionPhase.valid,
        no_funds: actionPhase.noFunds,
        status_change: actionPhase.statusChange,
        ...whenPresent('total_fwd_fees', actionPhase.totalFwdFees),
        ...whenPresent('total_action_fees', actionPhase.totalActionFees),
        result_code: actionPhase.resultCode,
        ...(typeof actionPhase.resultArg === 'number' && { result_arg: actionPhase.resultArg }),
        tot_actions: actionPhase.totalActions,
        spec_actions: actionPhase.specActions,
        skipped_actions: actionPhase.skippedActions,
        msgs_created: actionPhase.messagesCreated,
        action_list_hash: base64Hash(actionPhase.actionListHash),
        tot_msg_size: writeSize(actionPhase.totalMessageSize),
      },
    }),
    ...(bouncePhase && { bounce: writeBounce(bouncePhase) }),
  }
}

type Generic = Extract<TransactionDescription, { type: 'generic' }>

function writeCompute(phase: Generic['computePhase']): Json {
  if (phase.type === 'skipped') return { skipped: true, reason: SKIPPED[phase.reason] }
  // The real index takes the lesser of the two for the gas, which is wrong where gas is free.
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

function writeCurrencies(amounts: Iterable<[number, bigint]>): Json {
  return Object.fromEntries([...amounts].map(([id, amount]) => [id, amount.toString()]))
}

function whenPresent(name: string, amount: bigint | null | undefined): Json {
  return amount === undefined || amount === null ? {} : { [name]: amount.toString() }
}

function writeBlockRef(workchain: number, seqno: number): Json {
  return { workchain, shard: WHOLE_SHARD, seqno }
}

/** Something that changes with the state; the cell of the account itself is not kept. */
function stateHash({ balance, last, data }: AccountView): Buffer {
  const cell = beginCell().storeCoins(balance).storeUint(last.lt, 64).storeMaybeRef(data)
  return cell.endCell().hash()
}
