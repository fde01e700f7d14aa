import type { V3Transaction } from '../v3/generated/types.js'
import type { Cell } from '../../shared/cells/cell.js'
import { failureOf } from './trace-outcome.js'
import { readBody, readComment, readOpcode, type Comment } from './message-body.js'

type Message = V3Transaction['out_msgs'][number]

/**
 * Outcome of a message or a transfer. `arrived`: the recipient has it, even if its contract failed. `bounced`: it was
 * returned, less the fees. `failed`: the request was not executed, and nothing was returned. `pending`: it has not been
 * received yet. `unknown`: the transactions do not show it.
 */
export type TransferOutcome = 'arrived' | 'bounced' | 'failed' | 'pending' | 'unknown'

/** A message from one account to another. Every movement of the native coin is one. */
export interface TraceMessage extends Comment {
  hash: string
  /** Accounts are raw, in upper case. */
  sender: string
  recipient: string
  /** Nanocoins. */
  value: bigint
  /** Amounts of extra currencies, by their ids. */
  extraCurrencies?: Record<string, bigint> | undefined
  /** The first 32 bits of the body, for example `0x0f8a7ea5`; absent for a plain transfer, with or without a comment. */
  opcode?: string | undefined
  /** The hash of the body, in base64: `bodyBase64Hash` of a payment. */
  bodyHash?: string | undefined
  /** `true` if it returns another message. */
  isBounced: boolean
  /** The hashes of the transactions that sent and received it, if known. */
  sentIn?: string | undefined
  receivedIn?: string | undefined
  outcome: 'arrived' | 'bounced' | 'pending'
  /** Nanocoins that were returned if it bounced; absent if the index does not tell. */
  returned?: bigint | undefined
  /** The reason if it bounced, or the failure of the recipient although it arrived. */
  reason?: string | undefined
}

/** A message between accounts with the transactions that sent and received it. */
export interface LinkedMessage {
  message: Message & { source: string; destination: string }
  body: Cell | undefined
  from: V3Transaction | undefined
  to: V3Transaction | undefined
}

/** Returns the messages between the accounts of a trace, in the order of sending. */
export function linkMessages(transactions: readonly V3Transaction[]): LinkedMessage[] {
  const recipients = new Map<string, V3Transaction>()
  for (const one of transactions)
    if (one.in_msg !== undefined) recipients.set(keyOf(one.in_msg), one)
  const sent = new Set(transactions.flatMap(({ out_msgs }) => out_msgs.map(keyOf)))
  const links = new Map<string, LinkedMessage>()
  const add = (message: Message, from: V3Transaction | undefined): void => {
    const key = keyOf(message)
    if (!isInternal(message) || links.has(key)) return
    const to = recipients.get(key)
    const received = to?.in_msg?.message_content?.body
    const body = readBody(message.message_content?.body ?? received)
    links.set(key, { message, body, from, to })
  }
  for (const one of transactions) {
    // If these are only part of a trace, its sender may be missing.
    if (one.in_msg !== undefined && !sent.has(keyOf(one.in_msg))) add(one.in_msg, undefined)
    for (const message of one.out_msgs) add(message, one)
  }
  return [...links.values()]
}

export function describeMessage({ message, body, from, to }: LinkedMessage): TraceMessage {
  const { hash, source: sender, destination: recipient } = message
  const received = to?.in_msg
  const currencies = message.value_extra_currencies ?? {}
  return {
    hash,
    sender,
    recipient,
    value: message.value ?? received?.value ?? 0n,
    ...(Object.keys(currencies).length > 0 && { extraCurrencies: currencies }),
    opcode: opcodeOf(message, body),
    ...(body === undefined || message.bounced === true ? {} : readComment(body)),
    bodyHash: message.message_content?.hash ?? received?.message_content?.hash,
    isBounced: message.bounced === true,
    sentIn: from?.hash,
    receivedIn: to?.hash,
    ...receptionOf(to),
  }
}

function receptionOf(
  to: V3Transaction | undefined,
): Pick<TraceMessage, 'outcome' | 'returned' | 'reason'> {
  if (to === undefined) return { outcome: 'pending' }
  const reason = failureOf(to, undefined)?.reason
  const back = to.out_msgs.find(({ bounced }) => bounced === true)
  // The index may lack the returned message, or not mark it.
  if (to.description.bounce?.type !== 'ok' && back === undefined) {
    return { outcome: 'arrived', reason }
  }
  return { outcome: 'bounced', returned: back?.value, reason }
}

/** Returns the opcode; `undefined` for a plain transfer, with or without a comment. */
export function opcodeOf(
  { opcode }: Pick<Message, 'opcode'>,
  body: Cell | undefined,
): string | undefined {
  const number = body === undefined ? undefined : readOpcode(body)
  const text = number === undefined ? opcode : `0x${number.toString(16).padStart(8, '0')}`
  return text === '0x00000000' || text === '0x2167da4b' ? undefined : text
}

/** Returns a unique key. Messages of one account have different logical times; an external one is identified by its hash. */
function keyOf({ hash, source, created_lt }: Message): string {
  return source === undefined || created_lt === undefined ? hash : `${source} ${created_lt}`
}

export function isInternal(message: Message): message is LinkedMessage['message'] {
  return isAccount(message.source) && isAccount(message.destination)
}

/** Some servers send an empty string for no account. */
function isAccount(address: string | undefined): boolean {
  return address !== undefined && address !== ''
}
