import type { V3Trace, V3Transaction } from '../v3/generated/types.js'
import { hasAllTransactions, isEnded, transactionsOf } from './trace-state.js'

export interface TraceFailure {
  /** The hash of the transaction. */
  transaction: string
  /** The account of the transaction, raw, in upper case. */
  account: string
  reason: string
  /** The contract's exit code, if it ran and failed. */
  exitCode?: number | undefined
  /** The result code of the action phase, if it failed: 37 means insufficient funds. */
  resultCode?: number | undefined
}

/**
 * Outcome of a trace. `success`: every contract that ran succeeded. `failure`: some failed, see `reason`; other parts of the
 * trace may have succeeded, so check the transfers before anything is paid again. `unknown`: the trace continues, or the
 * index does not have all of it.
 */
export type TraceVerdict =
  { outcome: 'success'; reason?: undefined } | { outcome: 'failure' | 'unknown'; reason: string }

export function traceOutcome(trace: V3Trace): { verdict: TraceVerdict; failures: TraceFailure[] } {
  const transactions = transactionsOf(trace)
  const [root] = transactions
  const failures = transactions.flatMap((one) => failureOf(one, root?.account) ?? [])
  return { verdict: verdictOf(trace, transactions.length, failures), failures }
}

function verdictOf(trace: V3Trace, count: number, failures: readonly TraceFailure[]): TraceVerdict {
  const unknown = (reason: string): TraceVerdict => ({ outcome: 'unknown', reason })
  if (!isEnded(trace)) return unknown('the trace is not complete yet')
  if (trace.trace_info.trace_state === 'broken') {
    return unknown('the index could not assemble the trace')
  }
  if (trace.is_incomplete === true || count === 0) {
    return unknown(
      `the index did not return its transactions: ${trace.warning ?? 'the list is empty'}`,
    )
  }
  if (!hasAllTransactions(trace)) {
    return unknown(`the index does not have all of its transactions yet: it returned ${count}`)
  }
  const [first, ...more] = failures
  if (first === undefined) return { outcome: 'success' }
  const others = more.length === 0 ? '' : `; and ${more.length} more failed`
  return { outcome: 'failure', reason: `${first.account}: ${first.reason}${others}` }
}

/**
 * Returns the failure of a transaction. `aborted` is not sufficient: an account without code, or a message without enough
 * gas, receives its value without an execution. @param rootAccount the receiver of the external message, usually a wallet
 */
export function failureOf(
  transaction: V3Transaction,
  rootAccount: string | undefined,
): TraceFailure | undefined {
  const { compute_ph: compute, action, bounce, aborted } = transaction.description
  const { hash, account, out_msgs: sent } = transaction
  const facts = { transaction: hash, account }
  const back = bounce?.type === 'ok' ? '; its value was returned' : ''
  if (isSkipped(transaction)) {
    if (bounce === undefined) return undefined
    const why = compute?.reason ?? compute?.skip_reason ?? 'unknown'
    return { ...facts, reason: `the contract was not executed (${why})${back}` }
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
  // Wallets commit their seqno first: one that fails afterwards has success, but sends nothing.
  const { exit_code: exitCode = 0 } = compute ?? {}
  if (account === rootAccount && sent.length === 0 && exitCode !== 0 && exitCode !== 1) {
    const reason = `the contract failed with exit code ${nameCode(exitCode, EXIT_CODES)}`
    return { ...facts, reason, exitCode }
  }
  // Wallets use the send mode that skips messages that cannot be sent.
  const skipped = account === rootAccount ? (action?.skipped_actions ?? 0) : 0
  if (skipped > 0) {
    const reason = `${skipped} of its ${action?.tot_actions ?? skipped} actions were skipped, usually because of insufficient funds`
    return { ...facts, reason }
  }
  return aborted === true || bounce !== undefined
    ? { ...facts, reason: `the transaction was aborted${back}` }
    : undefined
}

/** Returns true if the contract was not executed. Servers before mid-2024 report it in `type`. */
function isSkipped({ description: { compute_ph: compute } }: V3Transaction): boolean {
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
  39: 'a message is too large',
  40: 'not enough for the fees of a message',
  43: 'too many cells in libraries',
  50: 'the account would grow too large',
}
