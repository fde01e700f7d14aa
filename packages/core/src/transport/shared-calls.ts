import { TimeoutError, type RequestPhase } from '../errors/http.js'
import type { Clock } from '../runtime/clock.js'
import { onAbort, startTimer } from './abort.js'

/** How far a call has come. */
export interface CallProgress {
  /** Requests sent so far. */
  attempts: number
  phase: RequestPhase
  /** Why the last attempt failed. */
  lastError: unknown
  /** When the last of its callers gives up. */
  deadlineAtMs: number
  /** Aborted when all its callers have gone. */
  readonly signal: AbortSignal
}

/** One who waits for a call. */
interface Caller {
  endpoint: string
  signal: AbortSignal | undefined
  deadlineMs: number
}

/** A caller's part in a call. */
export interface JoinedCall<T> {
  result: Promise<T>
  progress: CallProgress
  /** Whether somebody else had begun it. */
  isShared: boolean
}

interface Call<T> {
  work: Promise<T>
  progress: CallProgress
  callers: number
  abort: () => void
}

/** Calls in flight, by what they ask for. */
export interface SharedCalls<T> {
  /**
   * Takes part in the call of that key, or begins it. Each caller has its own deadline and signal; the call itself
   * ends early only when no caller is left.
   * @param key `undefined` for a call that is never shared.
   */
  join(
    key: string | undefined,
    caller: Caller,
    begin: (progress: CallProgress) => Promise<T>,
  ): JoinedCall<T>
}

/** No calls yet. */
export function createSharedCalls<T>(clock: Clock): SharedCalls<T> {
  const calls = new Map<string | undefined, Call<T>>()

  const start = (
    key: string | undefined,
    begin: (progress: CallProgress) => Promise<T>,
  ): Call<T> => {
    const controller = new AbortController()
    const { signal } = controller
    const progress: CallProgress = {
      attempts: 0,
      phase: 'queue',
      lastError: undefined,
      deadlineAtMs: -Infinity,
      signal,
    }
    const forget = (): void => {
      if (calls.get(key) === call) calls.delete(key)
    }
    const abort = (): void => {
      forget()
      controller.abort()
    }
    const call: Call<T> = { work: begin(progress), progress, callers: 0, abort }
    // Also keeps a failure that nobody awaits any longer from bringing the process down.
    call.work.then(forget, forget)
    if (key !== undefined) calls.set(key, call)
    return call
  }

  return {
    join(key, caller, begin) {
      const running = key === undefined ? undefined : calls.get(key)
      const call = running ?? start(key, begin)
      const result = takePart(call, caller, clock)
      return { result, progress: call.progress, isShared: running !== undefined }
    },
  }
}

function takePart<T>(call: Call<T>, caller: Caller, clock: Clock): Promise<T> {
  const { progress } = call
  const { endpoint, signal, deadlineMs } = caller
  call.callers++
  progress.deadlineAtMs = Math.max(progress.deadlineAtMs, clock.nowMs() + deadlineMs)
  return new Promise<T>((resolve, reject) => {
    const giveUp = (reason: unknown): void => {
      stopWaiting()
      reject(reason)
      if (--call.callers === 0) call.abort()
    }
    const cancelTimer = startTimer(clock, deadlineMs, () => {
      const { attempts, phase, lastError } = progress
      const facts = { endpoint, attempts, phase, limitMs: deadlineMs, cause: lastError }
      giveUp(new TimeoutError({ ...facts, scope: 'deadline' }))
    })
    const stopListening =
      signal === undefined ? undefined : onAbort(signal, () => giveUp(signal.reason))
    const stopWaiting = (): void => {
      cancelTimer()
      stopListening?.()
    }
    call.work.then(resolve, reject).finally(stopWaiting)
  })
}
