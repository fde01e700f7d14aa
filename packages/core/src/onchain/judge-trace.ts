import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import { hasAllTransactions, isEnded, transactionsOf } from './trace-transactions.js'

/** A transaction that did not do what it was asked to. */
export interface TraceFailure {
  /** The hash of the transaction. */
  transaction: string
  /** Whose transaction it is, as on the wire. */
  account: string
  /** What went wrong, in words. */
  reason: string
  /** The contract's exit code, when it ran and failed. */
  exitCode?: number | undefined
  /** The result code of the action phase, when that failed: 37 is a lack of funds. */
  resultCode?: number | undefined
}

/**
 * How a trace ended. `success`: every contract that ran did so to a good end. `failure`: some did not, as `reason`
 * says; other parts of the trace may have done their work, so look at the transfers before anything is paid again.
 * `unknown`: the trace goes on, or the index does not have all of it.
 */
export type TraceVerdict =
  { outcome: 'success'; reason?: undefined } | { outcome: 'failure' | 'unknown'; reason: string }

/** What went wrong in a trace, and what that makes of the whole. */
export function judgeTrace(trace: Trace): { verdict: TraceVerdict; failures: TraceFailure[] } {
  const transactions = transactionsOf(trace)
  const [root] = transactions
  const failures = transactions.flatMap((one) => failureOf(one, root?.account) ?? [])
  return { verdict: verdictOf(trace, transactions.length, failures), failures }
}

function verdictOf(trace: Trace, count: number, failures: readonly TraceFailure[]): TraceVerdict {
  const unknown = (reason: string): TraceVerdict => ({ outcome: 'unknown', reason })
  if (!isEnded(trace)) return unknown('the trace is not complete yet')
  if (trace.trace_info.trace_state === 'broken') {
    return unknown('the index could not put the trace together')
  }
  if (trace.is_incomplete === true || count === 0) {
    return unknown(`the index does not tell its transactions: ${trace.warning ?? 'none came'}`)
  }
  if (!hasAllTransactions(trace)) {
    return unknown(`the index does not have all of its transactions yet: ${count} came`)
  }
  const [first, ...more] = failures
  if (first === undefined) return { outcome: 'success' }
  const others = more.length === 0 ? '' : `; and ${more.length} more failed`
  return { outcome: 'failure', reason: `${first.account}: ${first.reason}${others}` }
}

/**
 * What went wrong in a transaction. To be `aborted` is not enough: an account without code, or a message with too little
 * for gas, takes the money without a run. @param rootAccount who received the message from outside: most often a wallet
 */
export function failureOf(
  transaction: Transaction,
  rootAccount: string | undefined,
): TraceFailure | undefined {
  const { compute_ph: compute, action, bounce, aborted } = transaction.description
  const { hash, account } = transaction
  const facts = { transaction: hash, account }
  const back = bounce?.type === 'ok' ? '; its money went back' : ''
  if (isSkipped(transaction)) {
    if (bounce === undefined) return undefined
    const why = compute?.reason ?? compute?.skip_reason ?? 'unknown'
    return { ...facts, reason: `the contract was not run (${why})${back}` }
  }
  if (compute?.success === false) {
    const { exit_code: exitCode } = compute
    const reason = `the contract failed with exit code ${nameCode(exitCode, EXIT_CODES)}${back}`
    return { ...facts, reason, exitCode }
  }
  if (action?.success === false) {
    const { result_code: resultCode } = action
    const reason = `its actions failed with result code ${nameCode(resultCode, RESULT_CODES)}${back}`
    return { ...facts, reason, resultCode }
  }
  // Wallets send with the mode that leaves out what cannot be sent.
  const left = account === rootAccount ? (action?.skipped_actions ?? 0) : 0
  if (left > 0) {
    const reason = `${left} of its ${action?.tot_actions ?? left} actions were left out, most often for a lack of funds`
    return { ...facts, reason }
  }
  return aborted === true || bounce !== undefined
    ? { ...facts, reason: `the transaction was aborted${back}` }
    : undefined
}

/** Whether the contract was not run. Servers before the middle of 2024 have `type` for it. */
function isSkipped({ description: { compute_ph: compute } }: Transaction): boolean {
  return compute?.skipped === true || compute?.type === 'skipped'
}

function nameCode(code: number | undefined, names: Readonly<Record<number, string>>): string {
  if (code === undefined) return 'unknown'
  const name = names[code]
  return name === undefined ? String(code) : `${code} (${name})`
}

const EXIT_CODES: Readonly<Record<number, string>> = {
  [-14]: 'out of gas',
  2: 'stack underflow',
  3: 'stack overflow',
  4: 'integer overflow',
  5: 'integer out of range',
  6: 'invalid instruction',
  7: 'wrong type',
  8: 'cell overflow',
  9: 'cell underflow',
  10: 'dictionary error',
  13: 'out of gas',
}

const RESULT_CODES: Readonly<Record<number, string>> = {
  32: 'invalid list of actions',
  33: 'too many actions',
  34: 'invalid action',
  35: 'invalid source',
  36: 'invalid destination',
  37: 'not enough Toncoin',
  38: 'not enough of another currency',
  39: 'a message does not fit',
  40: 'not enough for the fees of a message',
  43: 'too many cells in libraries',
  50: 'the account would grow too large',
}
