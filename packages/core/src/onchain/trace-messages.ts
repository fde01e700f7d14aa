import type { Cell } from '../cells/cell.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import { failureOf } from './judge-trace.js'
import { readBody, readComment, readOpcode, type Comment } from './message-body.js'

type Message = Transaction['out_msgs'][number]

/**
 * What became of a message or a transfer. `arrived`: the recipient has it, even if its contract failed. `bounced`: it went
 * back, less the fees. `failed`: what was asked for was not done, and nothing went back. `pending`: nobody has received
 * it yet. `unknown`: the transactions do not tell.
 */
export type TransferOutcome = 'arrived' | 'bounced' | 'failed' | 'pending' | 'unknown'

/** A message from one account to another: every movement of the native coin is one. */
export interface TraceMessage extends Comment {
  hash: string
  /** Accounts as on the wire: raw, in upper case. */
  sender: string
  recipient: string
  /** Nanocoins. */
  value: bigint
  /** Amounts of other currencies, by their ids. */
  extraCurrencies?: Record<string, bigint> | undefined
  /** The first 32 bits of the body, as in `0x0f8a7ea5`; absent for a plain transfer, with or without a comment. */
  opcode?: string | undefined
  /** The hash of the body, in base64: `bodyBase64Hash` of a payment. */
  bodyHash?: string | undefined
  /** Whether it is what came back of another message. */
  isBounced: boolean
  /** The hashes of the transactions that sent and received it, where they are known. */
  sentIn?: string | undefined
  receivedIn?: string | undefined
  outcome: 'arrived' | 'bounced' | 'pending'
  /** Nanocoins that went back when it bounced. */
  returned?: bigint | undefined
  /** Why it bounced, or what went wrong at the recipient although it arrived. */
  reason?: string | undefined
}

/** A message between accounts with the transactions at its ends. */
export interface Move {
  message: Message & { source: string; destination: string }
  body: Cell | undefined
  from: Transaction | undefined
  to: Transaction | undefined
}

/** The messages between the accounts of a trace, in the order in which they were sent. */
export function movesOf(transactions: readonly Transaction[]): Move[] {
  const recipients = new Map<string, Transaction>()
  for (const one of transactions)
    if (one.in_msg !== undefined) recipients.set(keyOf(one.in_msg), one)
  const sent = new Set(transactions.flatMap(({ out_msgs }) => out_msgs.map(keyOf)))
  const moves = new Map<string, Move>()
  const add = (message: Message, from: Transaction | undefined): void => {
    const key = keyOf(message)
    if (!isInternal(message) || moves.has(key)) return
    const body = readBody(message.message_content?.body)
    moves.set(key, { message, body, from, to: recipients.get(key) })
  }
  for (const one of transactions) {
    // Its sender is not among them when they are but a part of a trace.
    if (one.in_msg !== undefined && !sent.has(keyOf(one.in_msg))) add(one.in_msg, undefined)
    for (const message of one.out_msgs) add(message, one)
  }
  return [...moves.values()]
}

/** What is told of a message. */
export function describeMessage({ message, body, from, to }: Move): TraceMessage {
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

/** How the recipient took it. */
function receptionOf(
  to: Transaction | undefined,
): Pick<TraceMessage, 'outcome' | 'returned' | 'reason'> {
  if (to === undefined) return { outcome: 'pending' }
  const reason = failureOf(to, undefined)?.reason
  const back = to.out_msgs.find(({ bounced }) => bounced === true)
  if (to.description.bounce?.type !== 'ok' || back === undefined) {
    return { outcome: 'arrived', reason }
  }
  return { outcome: 'bounced', returned: back.value ?? 0n, reason }
}

/** A comment is no opcode. */
function opcodeOf({ opcode }: Message, body: Cell | undefined): string | undefined {
  const number = body === undefined ? undefined : readOpcode(body)
  const text = number === undefined ? opcode : `0x${number.toString(16).padStart(8, '0')}`
  return text === '0x00000000' || text === '0x2167da4b' ? undefined : text
}

/** Two messages of one account have different logical times; the hash stands for the one from outside. */
function keyOf({ hash, source, created_lt }: Message): string {
  return source === undefined || created_lt === undefined ? hash : `${source} ${created_lt}`
}

/** Whether it goes from one account to another. */
export function isInternal(message: Message): message is Move['message'] {
  return isAccount(message.source) && isAccount(message.destination)
}

/** Some servers write the empty text where there is no account. */
function isAccount(address: string | undefined): boolean {
  return address !== undefined && address !== ''
}
