import { TimeoutError, type RequestPhase } from '../errors/http.js'
import type { TonplugError } from '../errors/tonplug-error.js'
import type { Clock } from '../runtime/clock.js'
import { onAbort, startTimer } from './abort.js'
import { PRIORITIES, type Priority } from './priority.js'

/** How far a call has come. */
export interface CallProgress {
  /** Requests sent so far, those before it included. */
  attempts: number
  /** Requests that the caller's same call had sent before this one began. */
  readonly attemptsBefore: number
  /** That of its most urgent caller. */
  priority: Priority
  /** Time for one attempt: that of its most patient caller. */
  timeoutMs: number
  phase: RequestPhase
  /** Called when it becomes more urgent. */
  onRaise: (() => void) | undefined
  /** Why the last attempt failed. */
  lastError: unknown
  /** The last failure that leaves open whether the server did what was asked. */
  lostError: TonplugError | undefined
  /** When the last of its callers gives up. */
  deadlineAtMs: number
  /** Aborted when all its callers have gone, or by `abort`. */
  readonly signal: AbortSignal
  /** Ends the call for all its callers, with this error. */
  abort(error: TonplugError): void
}

/** One who waits for a call. */
export interface Caller {
  endpoint: string
  signal: AbortSignal | undefined
  /** The time that is left, above 0. */
  deadlineMs: number
  /** All the time that there was. */
  limitMs: number
  timeoutMs: number
  priority: Priority
  attemptsBefore: number
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
  abort: (error?: TonplugError) => void
}

/** Calls in flight, by what they ask for. */
export interface SharedCalls<T> {
  /**
   * Takes part in the call of that key, or begins it. Each caller has its own deadline and signal; the call itself
   * ends early only when no caller is left. It goes as the most urgent of them, and an attempt that begins later has
   * the longest of their times.
   * @param key `undefined` for a call that is never shared.
   */
  join(
    key: string | undefined,
    caller: Caller,
    begin: (progress: CallProgress) => Promise<T>,
  ): JoinedCall<T>
  /** From now on nobody joins the calls that have begun; who has joined stays. */
  seal(): void
}

/** No calls yet. */
export function createSharedCalls<T>(clock: Clock): SharedCalls<T> {
  const calls = new Map<string | undefined, Call<T>>()

  const start = (
    key: string | undefined,
    { attemptsBefore, priority, timeoutMs, deadlineMs }: Caller,
    begin: (progress: CallProgress) => Promise<T>,
  ): Call<T> => {
    const controller = new AbortController()
    const forget = (): void => {
      if (calls.get(key)?.progress === progress) calls.delete(key)
    }
    const abort = (error?: TonplugError): void => {
      forget()
      controller.abort(error)
    }
    const progress: CallProgress = {
      attempts: attemptsBefore,
      attemptsBefore,
      priority,
      timeoutMs,
      phase: 'queue',
      onRaise: undefined,
      lastError: undefined,
      lostError: undefined,
      deadlineAtMs: clock.nowMs() + deadlineMs,
      signal: controller.signal,
      abort,
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
      const call = running ?? start(key, caller, begin)
      const result = takePart(call, caller, clock)
      return { result, progress: call.progress, isShared: running !== undefined }
    },
    seal: () => calls.clear(),
  }
}

function takePart<T>(call: Call<T>, caller: Caller, clock: Clock): Promise<T> {
  const { progress } = call
  const { endpoint, signal, deadlineMs, limitMs } = caller
  call.callers++
  progress.deadlineAtMs = Math.max(progress.deadlineAtMs, clock.nowMs() + deadlineMs)
  progress.timeoutMs = Math.max(progress.timeoutMs, caller.timeoutMs)
  if (PRIORITIES.indexOf(caller.priority) < PRIORITIES.indexOf(progress.priority)) {
    progress.priority = caller.priority
    progress.onRaise?.()
  }
  return new Promise<T>((resolve, reject) => {
    const giveUp = (reason: unknown): void => {
      stopWaiting()
      reject(reason)
      if (--call.callers === 0) call.abort()
    }
    const cancelTimer = startTimer(clock, deadlineMs, () => {
      const { attempts, phase, lastError } = progress
      const facts = { endpoint, attempts, phase, limitMs, cause: lastError }
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
