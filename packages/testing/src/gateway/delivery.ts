import type { Clock } from '@tonplug/core'
import { type Line, type LoggedAttempt, makeAttempt, type Transmission } from './attempt.js'

const RETRY_DELAYS_MS = [1000, 5000, 15_000]

/** One delivery: the content and the destination of its attempts. */
export interface DeliveryTask {
  line: Line
  delivery: number
  copy: number
  transmission: (attempt: number) => Transmission
  /** Called after each attempt. */
  onAttempt: (attempt: LoggedAttempt) => void
}

/**
 * Runs one delivery until an attempt receives a 2xx, four attempts have failed, or the mock gateway closes. An attempt fails
 * after any other status, a network error, or 10 s without a response; the next ones follow after 1 s, 5 s and 15 s.
 * Source: webhook description, parts 3 and 8.
 * @returns true when it was acknowledged.
 */
export async function runDelivery(task: DeliveryTask): Promise<boolean> {
  const { line, delivery, copy, transmission, onAttempt } = task
  let attempt = 0
  for (const delayMs of [0, ...RETRY_DELAYS_MS]) {
    if (delayMs > 0) await wait(line.clock, delayMs, line.closing)
    if (line.closing.aborted) return false
    attempt += 1
    const made = await makeAttempt(line, transmission(attempt), { delivery, copy, attempt })
    onAttempt(made)
    if (isAcknowledged(made)) return true
  }
  return false
}

/** Returns true when the response was a 2xx, which ends the delivery. */
function isAcknowledged({ status }: LoggedAttempt): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Waits on the clock, or until the signal is aborted. */
export function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.setTimer(end, delayMs)
    signal.addEventListener('abort', end)
  })
}
