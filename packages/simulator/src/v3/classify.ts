import type { Address } from '@ton/core'
import { isAborted, isBounced, type RecordedTransaction } from '../chain/recorded-transaction.js'
import { base64Boc, rawAddress } from '../shared/encodings.js'
import {
  commentIn,
  OPCODES,
  readJettonBurn,
  readJettonInternalTransfer,
  readJettonTransfer,
} from './bodies.js'
import type { Contract, JettonWallet } from './contracts.js'
import { factsOf, type MessageFacts } from './facts.js'
import type { Json } from './json.js'
import type { V3Request } from './request.js'
import type { KnownTrace } from './known-trace.js'
import { writeCurrencies } from './write-currencies.js'

/** An action: the purpose of a part of a trace. */
export interface Action {
  type: string
  /** True when the action was completed. */
  isSuccess: boolean
  details: Json
  /** The message that started the action. */
  opening: MessageFacts
  /** The transactions of the action, and the sender of `opening`, in order of execution. */
  transactions: RecordedTransaction[]
}

interface Classified {
  size: number
  last: RecordedTransaction
  actions: Promise<Action[]>
}

// The entry of a trace is replaced when the trace continues.
const classified = new WeakMap<RecordedTransaction, Classified>()

/** Returns the actions of a complete trace, in order of their start. */
export function classify(request: V3Request, trace: KnownTrace): Promise<Action[]> {
  const { root, last, transactions } = trace
  const known = classified.get(root)
  if (known?.size === transactions.length && known.last === last) return known.actions
  const actions = actionsOf(request, trace)
  classified.set(root, { size: transactions.length, last, actions })
  return actions
}

async function actionsOf(request: V3Request, trace: KnownTrace): Promise<Action[]> {
  const known = new Set(trace.transactions)
  const taken = new Set<RecordedTransaction>()
  const actions: Action[] = []
  for (const one of trace.transactions) {
    if (one.inMessage === undefined) continue
    const opening = factsOf(one.inMessage)
    const { info } = opening.message
    // A bounced message is part of the failed action.
    if (info.type === 'internal' && info.bounced) continue
    const after = await request.contracts.contractOf(one.address, one.after)
    const before = await request.contracts.contractOf(one.address, one.before)
    const step: Step = { one, opening, contract: after ?? before, known }
    const found = taken.has(one) ? undefined : await actionAt(request, step)
    if (found !== undefined) {
      actions.push(found)
      for (const other of found.transactions) if (other !== one.parent) taken.add(other)
    }
    if (isDeployment(one)) actions.push(deployment(step))
  }
  return actions
}

interface Step {
  one: RecordedTransaction
  opening: MessageFacts
  contract: Contract | undefined
  known: ReadonlySet<RecordedTransaction>
}

async function actionAt(request: V3Request, step: Step): Promise<Action | undefined> {
  const { one, opening, contract } = step
  if (contract?.kind === 'jetton_wallet') {
    const found =
      (await jettonTransfer(request, step, contract)) ??
      jettonMint(step, contract) ??
      jettonBurn(step, contract)
    if (found !== undefined) return found
  }
  const isWalletRequest = opening.source === undefined && contract?.kind === 'wallet'
  if (isWalletRequest && one.children.length > 0) return undefined
  return plainAction(step)
}

/** Combines the request, the receiving wallet's transaction, the notification of the owner and the excesses. */
async function jettonTransfer(
  request: V3Request,
  { one, opening, known }: Step,
  wallet: JettonWallet,
): Promise<Action | undefined> {
  const transfer = readJettonTransfer(opening.message.body)
  if (transfer === undefined) return undefined
  const received = childWith(one, known, OPCODES.jettonInternalTransfer)
  const followers = [OPCODES.jettonNotify, OPCODES.excess].map(
    (opcode) => received && childWith(received, known, opcode),
  )
  const receiver =
    received && (await request.contracts.contractOf(received.address, received.after))
  const comment = commentIn(transfer.forwardPayload)
  return {
    type: 'jetton_transfer',
    isSuccess: received !== undefined && !isAborted(one) && !isAborted(received),
    details: {
      asset: rawAddress(wallet.master),
      sender: rawAddress(wallet.owner),
      receiver: rawAddress(transfer.destination),
      sender_jetton_wallet: rawAddress(one.address),
      receiver_jetton_wallet: receiver && received ? rawAddress(received.address) : null,
      amount: transfer.amount.toString(),
      comment: comment?.text ?? null,
      is_encrypted_comment: comment?.isEncrypted ?? false,
      query_id: transfer.queryId.toString(),
      response_destination:
        transfer.responseDestination && rawAddress(transfer.responseDestination),
      custom_payload: transfer.customPayload && base64Boc(transfer.customPayload),
      forward_payload: transfer.forwardPayload && base64Boc(transfer.forwardPayload),
      forward_amount: transfer.forwardCoins.toString(),
    },
    opening,
    transactions: partsOf(one, received, ...followers),
  }
}

/** Returns the mint of jettons that the master sent to a wallet. */
function jettonMint({ one, opening, known }: Step, wallet: JettonWallet): Action | undefined {
  const { message, source } = opening
  const transfer = readJettonInternalTransfer(message.body)
  if (transfer === undefined || source?.equals(wallet.master) !== true) return undefined
  const followers = [OPCODES.jettonNotify, OPCODES.excess].map((opcode) =>
    childWith(one, known, opcode),
  )
  return {
    type: 'jetton_mint',
    isSuccess: !isAborted(one),
    details: {
      asset: rawAddress(wallet.master),
      receiver: rawAddress(wallet.owner),
      receiver_jetton_wallet: rawAddress(one.address),
      amount: transfer.amount.toString(),
      ton_amount: coinsOf(opening),
    },
    opening,
    transactions: partsOf(one, ...followers),
  }
}

/** Combines the burn request and the notification of the master. */
function jettonBurn({ one, opening, known }: Step, wallet: JettonWallet): Action | undefined {
  const burn = readJettonBurn(opening.message.body)
  if (burn === undefined) return undefined
  const notified = childWith(one, known, OPCODES.jettonBurnNotification)
  return {
    type: 'jetton_burn',
    isSuccess: notified !== undefined && !isAborted(one) && !isAborted(notified),
    details: {
      owner: rawAddress(wallet.owner),
      owner_jetton_wallet: rawAddress(one.address),
      asset: rawAddress(wallet.master),
      amount: burn.amount.toString(),
    },
    opening,
    transactions: partsOf(one, notified, notified && childWith(notified, known, OPCODES.excess)),
  }
}

/** Returns a transfer of coins, with or without a comment, or a contract call. */
function plainAction({ one, opening }: Step): Action {
  const { message, opcode } = opening
  const ends = { source: rawOrNull(opening.source), destination: rawOrNull(opening.destination) }
  const base = { opening, transactions: partsOf(one) }
  const other = message.info.type === 'internal' ? (message.info.value.other ?? []) : []
  const currencies = writeCurrencies(other)
  const isExtra = Object.keys(currencies).length > 0
  const comment = commentIn(message.body)
  const isTransfer =
    message.info.type === 'internal' &&
    (comment !== undefined || opcode === undefined || opcode === OPCODES.textComment)
  if (!isTransfer) {
    const call = { opcode: hexOrNull(opcode), ...ends, value: coinsOf(opening) }
    return {
      ...base,
      type: isExtra ? 'extra_currency_transfer' : 'call_contract',
      isSuccess: !isAborted(one),
      details: { ...call, extra_currencies: currencies },
    }
  }
  return {
    ...base,
    type: isExtra ? 'extra_currency_transfer' : 'ton_transfer',
    isSuccess: !isBounced(one),
    details: {
      ...ends,
      value: coinsOf(opening),
      value_extra_currencies: currencies,
      comment: comment?.text ?? null,
      encrypted: comment?.isEncrypted ?? false,
    },
  }
}

function deployment({ one, opening }: Step): Action {
  return {
    type: 'contract_deploy',
    isSuccess: true,
    details: {
      opcode: hexOrNull(opening.opcode),
      source: rawOrNull(opening.source),
      destination: rawOrNull(opening.destination),
      value: coinsOf(opening),
    },
    opening,
    transactions: partsOf(one),
  }
}

/** Returns the transactions of an action: the sender of its first message, and its own. */
function partsOf(
  first: RecordedTransaction,
  ...others: readonly (RecordedTransaction | undefined)[]
): RecordedTransaction[] {
  return [first.parent, first, ...others]
    .filter((one) => one !== undefined)
    .toSorted((one, other) => (one.transaction.lt < other.transaction.lt ? -1 : 1))
}

function childWith(
  one: RecordedTransaction,
  known: ReadonlySet<RecordedTransaction>,
  opcode: number,
): RecordedTransaction | undefined {
  return one.children.find(
    (child) =>
      known.has(child) &&
      child.inMessage !== undefined &&
      factsOf(child.inMessage).opcode === opcode,
  )
}

function isDeployment({ transaction }: RecordedTransaction): boolean {
  return transaction.oldStatus !== 'active' && transaction.endStatus === 'active'
}

function coinsOf({ message: { info } }: MessageFacts): string | null {
  return info.type === 'internal' ? info.value.coins.toString() : null
}

function rawOrNull(address: Address | undefined): string | null {
  return address === undefined ? null : rawAddress(address)
}

function hexOrNull(opcode: number | undefined): string | null {
  return opcode === undefined ? null : `0x${opcode.toString(16).padStart(8, '0')}`
}
