import { decisionName } from '../text/decisions.js'
import { toHex } from '../text/hash.js'
import { titleOf } from './delivery-title.js'
import type { AttemptSummary, ListedTransfer } from './state.js'

/** The conditions of both lists. */
export interface Filter {
  text: string
  result: 'all' | 'completed' | 'problem'
}

export const NO_FILTER: Filter = { text: '', result: 'all' }

/** Decisions that need no attention. */
const COMPLETED = ['paid', 'duplicate']

/** Returns true for a transfer that matches; `result` is a condition of its deliveries. */
export function matchesTransfer(
  transfer: ListedTransfer,
  attempts: readonly AttemptSummary[],
  { text, result }: Filter,
): boolean {
  const { reference, amount, requested, assetTicker, commentToRecipient, senderAddr } = transfer
  const own = attempts.filter((attempt) => attempt.reference === reference)
  if (result !== 'all' && !own.some((attempt) => hasResult(attempt, result))) return false
  const values = [reference, amount, requested.amount, assetTicker, commentToRecipient, senderAddr]
  return contains([...values, transfer.status, transfer.txHash], text)
}

/** Returns true for a delivery that matches. */
export function matchesAttempt(attempt: AttemptSummary, { text, result }: Filter): boolean {
  if (result !== 'all' && !hasResult(attempt, result)) return false
  const { reference, amount, ticker, decision, status, txHash } = attempt
  const words = [titleOf(attempt), decision?.kind, decision && decisionName(decision.kind)]
  return contains([...words, reference, amount, ticker, status, txHash], text)
}

function hasResult({ status, decision }: AttemptSummary, result: Filter['result']): boolean {
  const isAccepted = status !== null && status >= 200 && status < 300
  const isCompleted = isAccepted && (decision === null || COMPLETED.includes(decision.kind))
  return isCompleted === (result === 'completed')
}

function contains(values: readonly (string | number | null | undefined)[], text: string): boolean {
  const wanted = text.trim().toLowerCase()
  const asHex = toHex(text.trim())
  return values.some((value) => {
    const shown = String(value ?? '').toLowerCase()
    return shown.includes(wanted) || toHex(String(value ?? '')) === asHex
  })
}
