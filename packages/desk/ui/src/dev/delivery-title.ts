import type { AttemptSummary } from './state.js'

/** Returns the event and its transfer status, and the number of a retry or a copy. */
export function titleOf({ event, transferStatus, copy, attempt }: AttemptSummary): string {
  const status = transferStatus === null ? '' : ` (${transferStatus})`
  const copyText = copy > 1 ? `, copy ${copy}` : ''
  const retryText = attempt > 1 ? `, retry ${attempt - 1}` : ''
  return `${event ?? 'unreadable webhook'}${status}${copyText}${retryText}`
}
