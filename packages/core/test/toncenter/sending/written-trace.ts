import { createHash } from 'node:crypto'
import { beginCell, type Address, type Cell } from '@ton/core'
import type { V3Result } from '../../../src/toncenter/v3/endpoint-types.js'
import { callWith } from '../v3/call-with.js'

/** A message as a test thinks of it. */
export interface WrittenMessage {
  /** `null` is outside of the chain. */
  from: Address | null
  to: Address | null
  value?: bigint
  body?: Cell
  bounce?: boolean
  bounced?: boolean
  currencies?: Record<string, string>
}

/** A message with its outcome. */
export interface WrittenTransaction {
  in: WrittenMessage
  /** @default a run to a good end */
  description?: object
  /** The messages it sends, each with its outcome; a message without one is on its way. */
  out?: readonly (WrittenTransaction | WrittenMessage)[]
  fees?: bigint
  /** Other fields of the transaction. */
  marks?: object
}

/** The description of a failed contract whose message bounced. */
export function bouncedBy(exitCode: number): object {
  return { ...failedBy(exitCode), bounce: { type: 'ok', msg_fees: '1', fwd_fees: '1' } }
}

/** The description of a failed contract that kept the coins. */
export function failedBy(exitCode: number): object {
  const compute_ph = { skipped: false, success: false, exit_code: exitCode }
  return { type: 'ord', aborted: true, compute_ph }
}

/** The description of a message to an account without a contract. */
export const NOT_RUN = {
  type: 'ord',
  aborted: true,
  compute_ph: { skipped: true, reason: 'no_state' },
}

const DONE = {
  type: 'ord',
  aborted: false,
  compute_ph: { skipped: false, success: true, exit_code: 0 },
  action: { success: true, valid: true, no_funds: false, result_code: 0 },
}

function contentOf(body: Cell): object {
  return {
    hash: body.hash().toString('base64'),
    body: body.toBoc().toString('base64'),
    decoded: null,
  }
}

/** The form of an address in the index. */
export function rawOf(address: Address): string {
  return address.toRawString().toUpperCase()
}

/** Answers a trace as the client does. @param more fields of the trace, such as its actions */
export async function writeTrace(
  root: WrittenTransaction,
  more: { metadata?: object } & Record<string, unknown> = {},
): Promise<V3Result<'traces'>> {
  const { metadata = {}, ...fields } = more
  const transactions: { hash: string }[] = []
  let lt = 60_000_000_000_001n
  let pending = 0

  const writeMessage = (message: WrittenMessage): object => ({
    hash: hashOf(`message ${lt}`),
    source: message.from === null ? null : rawOf(message.from),
    destination: message.to === null ? null : rawOf(message.to),
    value: message.from === null ? null : String(message.value ?? 0n),
    value_extra_currencies: message.currencies ?? {},
    fwd_fee: message.from === null || message.to === null ? null : '400',
    ihr_fee: '0',
    created_lt: message.from === null ? null : String(lt++),
    bounce: message.bounce ?? true,
    bounced: message.bounced ?? false,
    opcode: null,
    message_content: contentOf(message.body ?? beginCell().endCell()),
  })

  const write = (one: WrittenTransaction, in_msg: object): void => {
    const written = (one.out ?? []).map((sent) => {
      const next = 'in' in sent ? sent : undefined
      return {
        next,
        message: writeMessage(next === undefined ? (sent as WrittenMessage) : next.in),
      }
    })
    const hash = hashOf(`transaction ${lt}`)
    const made = {
      account: one.in.to === null ? '' : rawOf(one.in.to),
      hash,
      lt: String(lt++),
      now: 1_780_000_000,
      mc_block_seqno: 50_000_000,
      total_fees: String(one.fees ?? 1000n),
      description: one.description ?? DONE,
      in_msg,
      out_msgs: written.map(({ message }) => message),
      finality: 'finalized',
      ...one.marks,
    }
    transactions.push(made)
    for (const { next, message } of written) {
      if (next !== undefined) write(next, message)
      else if ('destination' in message && message.destination !== null) pending++
    }
  }

  write(root, writeMessage(root.in))
  const trace_info = {
    trace_state: pending === 0 ? 'complete' : 'pending',
    messages: transactions.length + pending,
    transactions: transactions.length,
    pending_messages: pending,
    classification_state: 'ok',
  }
  const trace = {
    trace_id: transactions[0]?.hash,
    external_hash: hashOf('message'),
    start_lt: '1',
    start_utime: 1_780_000_000,
    trace_info,
    transactions_order: transactions.map(({ hash }) => hash),
    transactions: Object.fromEntries(transactions.map((one) => [one.hash, one])),
    ...fields,
  }
  return await callWith('traces', JSON.stringify({ traces: [trace], address_book: {}, metadata }))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
