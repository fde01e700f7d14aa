import type { Address } from '@ton/core'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { base64Boc, rawAddress } from '../spellings.js'
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
import type { Question } from './question.js'
import type { KnownTrace } from './traces.js'
import { writeCurrencies } from './write-currencies.js'

/** What a part of a trace was meant to do. */
export interface Action {
  type: string
  /** Whether it did that. */
  isSuccess: boolean
  details: Json
  /** The message that began it. */
  opening: MessageFacts
  /** Its transactions, the one that sent `opening` among them, in the order in which they took place. */
  transactions: RecordedTransaction[]
}

interface Classified {
  size: number
  last: RecordedTransaction
  actions: Promise<Action[]>
}

// A trace that goes on is another one.
const classified = new WeakMap<RecordedTransaction, Classified>()

/** The actions of a complete trace, in the order in which they began. */
export function classify(question: Question, trace: KnownTrace): Promise<Action[]> {
  const { root, last, transactions } = trace
  const known = classified.get(root)
  if (known?.size === transactions.length && known.last === last) return known.actions
  const actions = actionsOf(question, trace)
  classified.set(root, { size: transactions.length, last, actions })
  return actions
}

async function actionsOf(question: Question, trace: KnownTrace): Promise<Action[]> {
  const known = new Set(trace.transactions)
  const taken = new Set<RecordedTransaction>()
  const actions: Action[] = []
  for (const one of trace.transactions) {
    if (one.inMessage === undefined) continue
    const opening = factsOf(one.inMessage)
    const { info } = opening.message
    // What comes back is part of what went wrong.
    if (info.type === 'internal' && info.bounced) continue
    const after = await question.contracts.contractOf(one.address, one.after)
    const before = await question.contracts.contractOf(one.address, one.before)
    const step: Step = { one, opening, contract: after ?? before, known }
    const found = taken.has(one) ? undefined : await actionAt(question, step)
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

async function actionAt(question: Question, step: Step): Promise<Action | undefined> {
  const { one, opening, contract } = step
  if (contract?.kind === 'jetton_wallet') {
    const found =
      (await jettonTransfer(question, step, contract)) ??
      jettonMint(step, contract) ??
      jettonBurn(step, contract)
    if (found !== undefined) return found
  }
  const isOrderToWallet = opening.source === undefined && contract?.kind === 'wallet'
  if (isOrderToWallet && one.children.length > 0) return undefined
  return plainAction(step)
}

/** The order, what the other wallet received, and what it told its owner and sent back. */
async function jettonTransfer(
  question: Question,
  { one, opening, known }: Step,
  wallet: JettonWallet,
): Promise<Action | undefined> {
  const order = readJettonTransfer(opening.message.body)
  if (order === undefined) return undefined
  const received = childWith(one, known, OPCODES.jettonInternalTransfer)
  const followers = [OPCODES.jettonNotify, OPCODES.excess].map(
    (opcode) => received && childWith(received, known, opcode),
  )
  const receiver =
    received && (await question.contracts.contractOf(received.address, received.after))
  const comment = commentIn(order.forwardPayload)
  return {
    type: 'jetton_transfer',
    isSuccess: received !== undefined && !isAborted(one) && !isAborted(received),
    details: {
      asset: rawAddress(wallet.master),
      sender: rawAddress(wallet.owner),
      receiver: rawAddress(order.destination),
      sender_jetton_wallet: rawAddress(one.address),
      receiver_jetton_wallet: receiver && received ? rawAddress(received.address) : null,
      amount: order.amount.toString(),
      comment: comment?.text ?? null,
      is_encrypted_comment: comment?.isEncrypted ?? false,
      query_id: order.queryId.toString(),
      response_destination: order.responseDestination && rawAddress(order.responseDestination),
      custom_payload: order.customPayload && base64Boc(order.customPayload),
      forward_payload: order.forwardPayload && base64Boc(order.forwardPayload),
      forward_amount: order.forwardCoins.toString(),
    },
    opening,
    transactions: partsOf(one, received, ...followers),
  }
}

/** What a wallet received from its master. */
function jettonMint({ one, opening, known }: Step, wallet: JettonWallet): Action | undefined {
  const { message, source } = opening
  const order = readJettonInternalTransfer(message.body)
  if (order === undefined || source?.equals(wallet.master) !== true) return undefined
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
      amount: order.amount.toString(),
      ton_amount: coinsOf(opening),
    },
    opening,
    transactions: partsOf(one, ...followers),
  }
}

/** The order, and what the master was told. */
function jettonBurn({ one, opening, known }: Step, wallet: JettonWallet): Action | undefined {
  const order = readJettonBurn(opening.message.body)
  if (order === undefined) return undefined
  const told = childWith(one, known, OPCODES.jettonBurnNotification)
  return {
    type: 'jetton_burn',
    isSuccess: told !== undefined && !isAborted(one) && !isAborted(told),
    details: {
      owner: rawAddress(wallet.owner),
      owner_jetton_wallet: rawAddress(one.address),
      asset: rawAddress(wallet.master),
      amount: order.amount.toString(),
    },
    opening,
    transactions: partsOf(one, told, told && childWith(told, known, OPCODES.excess)),
  }
}

/** Coins with or without a comment, or a call of a contract. */
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
    // Coins arrive where no contract runs, and come back where one fails.
    isSuccess: !hasBounced(one),
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

/** Transactions of an action: the one that sent its first message, and its own. */
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

function isAborted({ transaction: { description } }: RecordedTransaction): boolean {
  return description.type === 'generic' && description.aborted
}

function hasBounced({ transaction: { description } }: RecordedTransaction): boolean {
  return description.type === 'generic' && description.bouncePhase?.type === 'ok'
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
