import { onAbort } from '../../shared/abort.js'
import { startTimer, type Clock } from '../../shared/clock.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import { RequestTimeoutError, type RequestPhase } from '../errors/http.js'
import { PRIORITIES, type Priority } from './call-options.js'

/** The progress of a call. */
export interface CallProgress {
  /** Requests sent so far, including {@link CallProgress.attemptsBefore}. */
  attempts: number
  /** Requests sent for the same call of the caller before this one began. */
  readonly attemptsBefore: number
  /** The highest priority of its callers. */
  priority: Priority
  /** Timeout of one attempt: the longest of its callers. */
  timeoutMs: number
  phase: RequestPhase
  /** Called when the priority is raised. */
  onRaise: (() => void) | undefined
  /** The error of the last attempt. */
  lastError: unknown
  /** The error of the last attempt that may have been processed by the server. */
  lostError: TonplugError | undefined
  /** The latest deadline of its callers. */
  deadlineAtMs: number
  /** Aborted when all its callers have left, or by `abort`. */
  readonly signal: AbortSignal
  /** Ends the call for all its callers, with this error. */
  abort(error: TonplugError): void
}

/** The caller of a call. */
export interface Caller {
  endpoint: string
  signal: AbortSignal | undefined
  /** The remaining time, above 0. */
  deadlineMs: number
  /** The whole time. */
  limitMs: number
  timeoutMs: number
  priority: Priority
  attemptsBefore: number
}

/** A call from the view of one caller. */
export interface JoinedCall<T> {
  result: Promise<T>
  progress: CallProgress
  /** True when another caller began it. */
  isShared: boolean
}

interface RunningCall<T> {
  work: Promise<T>
  progress: CallProgress
  callers: number
  abort: (error?: TonplugError) => void
}

/** Calls in flight that identical calls can join. */
export interface SharedReads<T> {
  /**
   * Joins the call of that key, or begins it. Each caller has its own deadline and signal; the call ends early only when no
   * caller is left. It has the highest priority of its callers, and further attempts have the longest of their timeouts.
   * @param key `undefined` for a call that is never shared.
   */
  join(
    key: string | undefined,
    caller: Caller,
    begin: (progress: CallProgress) => Promise<T>,
  ): JoinedCall<T>
  /** Stops new callers from joining the calls in flight. */
  seal(): void
}

/** Creates a register of calls in flight. */
export function createSharedReads<T>(clock: Clock): SharedReads<T> {
  const calls = new Map<string | undefined, RunningCall<T>>()

  const start = (
    key: string | undefined,
    caller: Caller,
    begin: (progress: CallProgress) => Promise<T>,
  ): RunningCall<T> => {
    const controller = new AbortController()
    const forget = (): void => {
      if (calls.get(key)?.progress === progress) calls.delete(key)
    }
    const abort = (error?: TonplugError): void => {
      forget()
      controller.abort(error)
    }
    const { signal } = controller
    const progress = createProgress(caller, clock.nowMs(), { signal, abort })
    const call: RunningCall<T> = { work: begin(progress), progress, callers: 0, abort }
    // Also handles a rejection after all callers have left.
    call.work.then(forget, forget)
    if (key !== undefined) calls.set(key, call)
    return call
  }

  return {
    join(key, caller, begin) {
      const running = key === undefined ? undefined : calls.get(key)
      const call = running ?? start(key, caller, begin)
      const result = waitFor(call, caller, clock)
      return { result, progress: call.progress, isShared: running !== undefined }
    },
    seal: () => calls.clear(),
  }
}

function createProgress(
  { attemptsBefore, priority, timeoutMs, deadlineMs }: Caller,
  nowMs: number,
  control: Pick<CallProgress, 'signal' | 'abort'>,
): CallProgress {
  return {
    attempts: attemptsBefore,
    attemptsBefore,
    priority,
    timeoutMs,
    phase: 'queue',
    onRaise: undefined,
    lastError: undefined,
    lostError: undefined,
    deadlineAtMs: nowMs + deadlineMs,
    ...control,
  }
}

/** Waits for the call within the caller's limits, and raises those of the call. */
function waitFor<T>(call: RunningCall<T>, caller: Caller, clock: Clock): Promise<T> {
  const { progress } = call
  const { endpoint, signal, deadlineMs, limitMs } = caller
  call.callers++
  raiseLimits(progress, caller, clock.nowMs())
  return new Promise<T>((resolve, reject) => {
    const leave = (reason: unknown): void => {
      stopWaiting()
      reject(reason)
      if (--call.callers === 0) call.abort()
    }
    const cancelTimer = startTimer(clock, deadlineMs, () => {
      const { attempts, phase, lastError } = progress
      const facts = { endpoint, attempts, phase, limitMs, cause: lastError }
      leave(new RequestTimeoutError({ ...facts, scope: 'deadline' }))
    })
    const stopListening = signal && onAbort(signal, () => leave(signal.reason))
    const stopWaiting = (): void => {
      cancelTimer()
      stopListening?.()
    }
    call.work.then(resolve, reject).finally(stopWaiting)
  })
}

function raiseLimits(
  progress: CallProgress,
  { priority, timeoutMs, deadlineMs }: Caller,
  nowMs: number,
): void {
  progress.deadlineAtMs = Math.max(progress.deadlineAtMs, nowMs + deadlineMs)
  progress.timeoutMs = Math.max(progress.timeoutMs, timeoutMs)
  if (PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(progress.priority)) return
  progress.priority = priority
  progress.onRaise?.()
}
