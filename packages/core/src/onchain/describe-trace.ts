import { InvalidParamsError } from '../errors/params.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import { judgeTrace, type TraceFailure, type TraceVerdict } from './judge-trace.js'
import type { TraceMetadata } from './look-for-trace.js'
import {
  jettonTransferOf,
  nftTransferOf,
  type JettonTransfer,
  type NftTransfer,
} from './token-transfers.js'
import { describeMessage, movesOf, type Move, type TraceMessage } from './trace-messages.js'
import { hasAllTransactions, isEnded, transactionsOf } from './trace-transactions.js'

/** A transfer of the native coin: a message without an opcode, with or without a comment. */
export interface NativeTransfer extends Omit<TraceMessage, 'value' | 'opcode' | 'isBounced'> {
  kind: 'native'
  /** Nanocoins. */
  amount: bigint
}

/** Who paid whom how much of what. `outcome` tells whether it arrived. */
export type Transfer = NativeTransfer | JettonTransfer | NftTransfer

/** What a trace did to an account, in nanocoins. */
export interface AccountChange {
  /** What its balance changed by, fees included. */
  change: bigint
  /** The fees of its transactions, and of the messages that it sent. */
  fees: bigint
}

/** A trace as plain data. Amounts are bigints in base units, times Unix seconds, accounts raw addresses in upper case. */
export type TraceDescription = TraceVerdict & {
  traceId: string | undefined
  /** The hash of the message from outside that began it, in base64. */
  externalHash: string | undefined
  /** When it began. */
  utime: number
  /** Whether nothing more can happen in it, and the index has told all that did. */
  isComplete: boolean
  /**
   * Whether all of it is in final blocks. Otherwise it is a forecast, or can be undone: whatever its transfers say, nothing
   * has been paid.
   */
  isFinal: boolean
  /** What went wrong, transaction by transaction. */
  failures: TraceFailure[]
  /** Who paid whom, in the order of the messages that ask for it. */
  transfers: Transfer[]
  /** Every message between accounts, those that carry out transfers of tokens and bring back what is left included. */
  messages: TraceMessage[]
  /** All fees, nanocoins. */
  fees: bigint
  /** By account: the fees alone, or what else it gave and got. */
  accounts: Record<string, AccountChange>
}

/**
 * Tells who paid whom how much of what in a trace, from its transactions. Nothing is asked of the network, and of the
 * index's own judgement only the master of a jetton is used.
 * @param options.metadata of the answer that the trace is from: tells the masters of jettons. The actions of the trace,
 *   where it has them, tell them too
 * @throws {InvalidParamsError} when `trace` is none.
 * @example
 * ```ts
 * import { createV3Client, describeTrace } from '@tonplug/core'
 *
 * declare const hash: string
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const { traces, metadata } = await v3.traces({ msg_hash: hash, include_actions: true })
 * for (const trace of traces) {
 *   const { transfers, fees } = describeTrace(trace, { metadata })
 *   for (const one of transfers) console.log(one.kind, one.sender, one.recipient, one.outcome, one.comment)
 *   console.log(`${fees} nanocoins of fees`)
 * }
 * ```
 */
export function describeTrace(
  trace: Trace,
  options: { metadata?: TraceMetadata | undefined } = {},
): TraceDescription {
  checkTrace(trace)
  const transactions = transactionsOf(trace)
  const isAll = hasAllTransactions(trace)
  const moves = movesOf(transactions)
  const { verdict, failures } = judgeTrace(trace)
  const accounts = changesOf(transactions)
  const sources = { actions: trace.actions, metadata: options.metadata }
  return {
    ...verdict,
    traceId: trace.trace_id,
    externalHash: trace.external_hash,
    utime: trace.start_utime,
    isComplete: isAll && isEnded(trace),
    isFinal: isAll && transactions.length > 0 && transactions.every(isFinal),
    failures,
    transfers: moves.flatMap(
      (move) =>
        jettonTransferOf(move, moves, sources) ??
        nftTransferOf(move) ??
        nativeTransferOf(move) ??
        [],
    ),
    messages: moves.map(describeMessage),
    fees: Object.values(accounts).reduce((sum, account) => sum + account.fees, 0n),
    accounts,
  }
}

/** Callers without types may give a whole answer. */
function checkTrace(trace: Partial<Trace> | null | undefined): void {
  if (Array.isArray(trace?.transactions_order) && trace.trace_info !== undefined) return
  const problem = 'is none; give one of the traces that v3.traces() answers'
  throw new InvalidParamsError({ endpoint: 'describeTrace', issues: [{ path: 'trace', problem }] })
}

/** Servers before the middle of 2026 do not say it of a transaction, but give no block to what is in none. */
function isFinal({ finality, emulated, mc_block_seqno: seqno = 0 }: Transaction): boolean {
  return finality === undefined ? emulated !== true && seqno > 0 : finality === 'finalized'
}

/** A message without an opcode that carries money; what comes back of another one is part of that one. */
function nativeTransferOf(move: Move): NativeTransfer | undefined {
  const { value, opcode, isBounced, ...rest } = describeMessage(move)
  const isPayment = value > 0n || rest.extraCurrencies !== undefined
  if (opcode !== undefined || isBounced || !isPayment) return undefined
  return { kind: 'native', amount: value, ...rest }
}

/**
 * What came in, less what went out and its fees. The fees of a transaction hold but the part of a message's fee that is
 * due where it was sent; the rest goes with the message.
 */
function changesOf(transactions: readonly Transaction[]): Record<string, AccountChange> {
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
    changes[account] = {
      change: before.change + received - sent - fees,
      fees: before.fees + fees,
    }
  }
  return changes
}
