import { isTonplugError, type TonplugError } from '../../errors/tonplug-error.js'
import type { Clock } from '../../runtime/clock.js'
import { mayPass } from '../../runtime/may-pass.js'
import { sleep } from '../../transport/abort.js'

const LONGEST_WAIT_MS = 60_000

/** Waits between polls, the longer the more of them have failed in a row. */
export interface Patience {
  /** After a poll that went well. */
  rest(): Promise<void>
  /** Something went well, and there is more to do at once. */
  recover(): void
  /** After one that failed. @throws what `error` is, unless it may pass. */
  outwait(error: unknown): Promise<void>
}

/** What a {@link Patience} is made from. */
export interface PatienceOptions {
  clock: Clock
  pollMs: number
  signal: AbortSignal
  onError: ((error: TonplugError) => void) | undefined
  /** Whether an error may pass here, beside those that may everywhere. */
  isPassing?: (error: TonplugError) => boolean
}

/** No failure yet. */
export function createPatience(options: PatienceOptions): Patience {
  const { clock, pollMs, signal, onError } = options
  let failures = 0
  return {
    async rest() {
      failures = 0
      await sleep(clock, pollMs, signal)
    },
    recover() {
      failures = 0
    },
    async outwait(error) {
      signal.throwIfAborted()
      if (!isTonplugError(error)) throw error
      if (!mayPass(error) && options.isPassing?.(error) !== true) throw error
      onError?.(error)
      const waitMs = pollMs * 2 ** Math.min(failures++, 16)
      await sleep(clock, Math.min(waitMs, Math.max(pollMs, LONGEST_WAIT_MS)), signal)
    },
  }
}
