import { isObject } from '../../shared/is-object.js'
import { InvalidParamsError } from '../errors/api.js'
import type { V3Trace, V3Transaction, V3WholeEmulation } from '../v3/generated/types.js'
import { traceOutcome, type TraceFailure, type TraceVerdict } from './trace-outcome.js'
import type { TraceMetadata } from './find-trace.js'
import {
  jettonTransferOf,
  nftTransferOf,
  type JettonTransfer,
  type NftTransfer,
} from './token-transfers.js'
import {
  describeMessage,
  linkMessages,
  type LinkedMessage,
  type TraceMessage,
} from './trace-messages.js'
import { hasAllTransactions, isEnded, isFinalTrace, transactionsOf } from './trace-state.js'

/** A transfer of the native coin: a message without an opcode, with or without a comment. */
export interface NativeTransfer extends Omit<TraceMessage, 'value' | 'opcode' | 'isBounced'> {
  kind: 'native'
  /** Nanocoins. */
  amount: bigint
}

/** A transfer between two accounts. `outcome` is `arrived` if the recipient has it. */
export type Transfer = NativeTransfer | JettonTransfer | NftTransfer

/** The effect of a trace on an account, in nanocoins. */
export interface AccountChange {
  /** The change of its balance, including fees. */
  change: bigint
  /** The fees of its transactions and of the messages that it sent. */
  fees: bigint
}

/** A trace as plain data. Amounts are bigints in base units, times Unix seconds, accounts raw addresses in upper case. */
export type ParsedTrace = TraceVerdict & {
  traceId: string | undefined
  /** The hash of the external message that started it, in base64. */
  externalHash: string | undefined
  utime: number
  /** `true` if it has ended and the index has returned all of it. */
  isComplete: boolean
  /**
   * `true` if all of it is in final blocks. Otherwise it is emulated or can be reverted: its transfers are not payments.
   */
  isFinal: boolean
  failures: TraceFailure[]
  /** The transfers, in the order of the messages that request them. */
  transfers: Transfer[]
  /** Every message between accounts, including messages of token transfers and excess returns. */
  messages: TraceMessage[]
  /** All fees, nanocoins. */
  fees: bigint
  /** The changes by account. */
  accounts: Record<string, AccountChange>
}

/**
 * Returns the transfers, messages, failures and balance changes of a trace, derived from its transactions. Makes no request.
 * Only the masters of jettons are taken from the index. Of a complete emulation, it returns what would happen: `isFinal` is
 * `false`.
 * @param options.metadata the metadata of the response with the trace, for the masters of jettons. They are also in the
 *   actions of the trace, if it has them
 * @throws {InvalidParamsError} if `trace` is neither a trace nor a complete emulation.
 * @example
 * ```ts
 * import { createV3Client, parseTrace } from '@tonplug/core/toncenter'
 *
 * declare const hash: string
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const { traces, metadata } = await v3.traces({ msg_hash: hash, include_actions: true })
 * for (const trace of traces) {
 *   const { transfers, fees } = parseTrace(trace, { metadata })
 *   for (const one of transfers) console.log(one.kind, one.sender, one.recipient, one.outcome, one.comment)
 *   console.log(`${fees} nanocoins of fees`)
 * }
 * ```
 */
export function parseTrace(
  given: V3Trace | V3WholeEmulation,
  options: { metadata?: TraceMetadata | undefined } = {},
): ParsedTrace {
  checkTrace(given)
  const trace = asTrace(given)
  const transactions = transactionsOf(trace)
  const links = linkMessages(transactions)
  const { verdict, failures } = traceOutcome(trace)
  const accounts = changesOf(transactions)
  const sources = { actions: trace.actions, metadata: options.metadata }
  return {
    ...verdict,
    traceId: trace.trace_id,
    externalHash: trace.external_hash,
    utime: trace.start_utime,
    isComplete: hasAllTransactions(trace) && isEnded(trace),
    isFinal: isFinalTrace(trace),
    failures,
    transfers: links.flatMap(
      (link) =>
        jettonTransferOf(link, links, sources) ??
        nftTransferOf(link) ??
        nativeTransferOf(link) ??
        [],
    ),
    messages: links.map(describeMessage),
    fees: Object.values(accounts).reduce((sum, account) => sum + account.fees, 0n),
    accounts,
  }
}

/** Callers without types may pass a whole response. */
function checkTrace(given: unknown): void {
  const { trace_info, transactions_order, transactions, is_incomplete } = isObject(given)
    ? given
    : {}
  if (Array.isArray(transactions_order) && trace_info !== undefined) return
  // Only a complete emulation has its transactions here.
  if (is_incomplete === false && isObject(transactions)) return
  const problem = 'must be one of the traces that v3.traces() returns, or a complete emulation'
  throw new InvalidParamsError({ endpoint: 'parseTrace', issues: [{ path: 'trace', problem }] })
}

/** Returns a complete emulation in the format of a trace. Nothing in it is final. A trace is returned unchanged. */
function asTrace(given: V3Trace | V3WholeEmulation): V3Trace {
  if ('trace_info' in given) return given
  const { trace, transactions, actions } = given
  const inOrder = Object.values(transactions).toSorted((one, other) => (one.lt < other.lt ? -1 : 1))
  const [first] = inOrder
  return {
    trace,
    transactions,
    actions,
    transactions_order: inOrder.map(({ hash }) => hash),
    start_lt: first?.lt ?? 0n,
    start_utime: first?.now ?? 0,
    trace_info: {
      trace_state: 'complete',
      messages: inOrder.length,
      transactions: inOrder.length,
      pending_messages: 0,
    },
  }
}

/** Returns the transfer of a message without an opcode that has value. A returned message is part of the original one. */
function nativeTransferOf(link: LinkedMessage): NativeTransfer | undefined {
  const { value, opcode, isBounced, ...rest } = describeMessage(link)
  const isPayment = value > 0n || rest.extraCurrencies !== undefined
  if (opcode !== undefined || isBounced || !isPayment) return undefined
  return { kind: 'native', amount: value, ...rest }
}

/**
 * Returns the balance changes: incoming minus outgoing value and fees. The fees of a transaction include only the part of a
 * message's fee that is due at the sender; the rest is carried by the message.
 */
function changesOf(transactions: readonly V3Transaction[]): Record<string, AccountChange> {
  const changes: Record<string, AccountChange> = {}
  for (const { account, in_msg, out_msgs, total_fees } of transactions) {
    const sent = out_msgs.reduce((sum, { value = 0n }) => sum + value, 0n)
    const forwarding = out_msgs.reduce(
      (sum, { fwd_fee = 0n, ihr_fee = 0n }) => sum + fwd_fee + ihr_fee,
      0n,
    )
    const received = (in_msg?.value ?? 0n) + (in_msg?.ihr_fee ?? 0n)
    const fees = total_fees + forwarding
    const before = changes[account] ?? { change: 0n, fees: 0n }
    changes[account] = { change: before.change + received - sent - fees, fees: before.fees + fees }
  }
  return changes
}
