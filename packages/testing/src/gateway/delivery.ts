import type { Clock } from '@tonplug/core'
import { type Line, type LoggedAttempt, makeAttempt, type Transmission } from './attempt.js'

const RETRY_DELAYS_MS = [1000, 5000, 15_000]

/** One delivery: what each attempt sends, and where to. */
export interface DeliveryTask {
  line: Line
  delivery: number
  copy: number
  transmission: (attempt: number) => Transmission
  /** Called after each attempt. */
  onAttempt: (attempt: LoggedAttempt) => void
}

/**
 * Runs one delivery to its end: until an attempt is answered 2xx, four attempts have failed, or the stand-in closes.
 * An attempt fails by any other status, a network error, or no answer within 10 s; the next ones follow 1 s, 5 s and
 * 15 s later.
 * Source: webhook description, parts 3 and 8.
 * @returns whether it was acknowledged.
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

/** Whether the attempt was answered 2xx, after which nothing is sent again. */
function isAcknowledged({ status }: LoggedAttempt): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Waits on the clock; no longer than until the signal is aborted. */
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
