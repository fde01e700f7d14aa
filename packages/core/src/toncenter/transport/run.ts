import { onAbort } from '../../shared/abort.js'
import { startTimer, type Clock } from '../../shared/clock.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import { RequestTimeoutError, type RequestPhase } from '../errors/http.js'
import { PRIORITIES, type Priority } from './call-options.js'

/** The limits of one caller of a request. Times are those of the transport's clock. */
export interface Caller {
  endpoint: string
  /** Not aborted yet. */
  signal: AbortSignal | undefined
  deadlineAtMs: number
  /** The whole time, for errors. */
  limitMs: number
  timeoutMs: number
  priority: Priority
}

/** The part of a request that can be interrupted: a wait or an attempt. */
interface Step {
  reject: (reason: unknown) => void
  endAtMs: number
  atEnd: (() => Error) | undefined
}

/** The reason of a wait for the rate limit that ends because another caller raised the priority. */
export const RAISED = Symbol('raised')

/**
 * A request in flight with its retries, for all callers that share it. It has the highest priority and the longest timeout of
 * its callers, and ends early when none of them is left. One controller and one timer serve all steps and callers; only an
 * interrupted step needs further ones.
 */
export class Run<T> {
  /** Requests sent so far, including those of the same call before. */
  attempts: number
  phase: RequestPhase = 'queue'
  priority: Priority
  /** Timeout of one attempt. */
  timeoutMs: number
  /** The latest deadline of its callers. */
  deadlineAtMs: number
  lastError: TonplugError | undefined
  /** The error of the last attempt that may have been processed by the server. */
  lostError: TonplugError | undefined

  readonly #clock: Clock
  readonly #callers = new Map<Caller, (reason: unknown) => void>()
  readonly #onEnd: (run: Run<T>) => void
  readonly #result: Promise<T>
  #controller = new AbortController()
  #step: Step | undefined
  #isEnded = false
  #wakeAtMs = Infinity
  #cancelTimer: (() => void) | undefined

  /**
   * @param caller the first one, who must also join
   * @param attempts requests sent for the same call before
   * @param onEnd called when no further caller may join
   */
  constructor(
    clock: Clock,
    caller: Caller,
    attempts: number,
    { work, onEnd }: { work: (run: Run<T>) => Promise<T>; onEnd: (run: Run<T>) => void },
  ) {
    this.#clock = clock
    this.#onEnd = onEnd
    this.attempts = attempts
    this.priority = caller.priority
    this.timeoutMs = caller.timeoutMs
    this.deadlineAtMs = caller.deadlineAtMs
    this.#result = work(this)
    const settle = (): void => this.#finish()
    // Also handles a rejection after all callers have left.
    this.#result.then(settle, settle)
  }

  /** The signal of the current step, or of the next one. */
  get signal(): AbortSignal {
    if (this.#controller.signal.aborted && !this.#isEnded) this.#controller = new AbortController()
    return this.#controller.signal
  }

  /** @throws the reason if the run has ended early. */
  throwIfEnded(): void {
    if (this.#isEnded) this.#controller.signal.throwIfAborted()
  }

  /**
   * Runs a step. Rejects as soon as it is interrupted, even if the work ignores its signal: at its limit, at the end of the
   * run, and with {@link RAISED}.
   * @param limit `atEnd` creates the error of a step that takes longer
   */
  step<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
    limit?: { limitMs: number; atEnd: () => Error },
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.throwIfEnded()
      const { signal } = this
      const endAtMs = limit === undefined ? Infinity : this.#clock.nowMs() + limit.limitMs
      const step = { reject, endAtMs, atEnd: limit?.atEnd }
      this.#step = step
      this.#wakeAt(Math.min(endAtMs, this.deadlineAtMs))
      const finish = (): void => {
        if (this.#step === step) this.#step = undefined
      }
      work(signal).then(
        (value) => {
          finish()
          resolve(value)
        },
        (error: unknown) => {
          finish()
          reject(error)
        },
      )
    })
  }

  join(caller: Caller): Promise<T> {
    const { signal, deadlineAtMs, timeoutMs, priority } = caller
    this.deadlineAtMs = Math.max(this.deadlineAtMs, deadlineAtMs)
    this.timeoutMs = Math.max(this.timeoutMs, timeoutMs)
    if (PRIORITIES.indexOf(priority) < PRIORITIES.indexOf(this.priority)) {
      this.priority = priority
      if (this.phase === 'queue') this.#interrupt(RAISED)
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#callers.delete(caller)
        stopListening?.()
      }
      this.#callers.set(caller, (reason) => {
        leave()
        reject(reason)
        if (this.#callers.size === 0) this.end()
      })
      const stopListening =
        signal && onAbort(signal, () => this.#callers.get(caller)?.(signal.reason))
      this.#wakeAt(deadlineAtMs)
      this.#result.then(resolve, reject).finally(leave)
    })
  }

  end(error?: TonplugError): void {
    this.#interrupt(error)
    this.#finish()
  }

  #finish(): void {
    this.#isEnded = true
    this.#cancelTimer?.()
    this.#onEnd(this)
  }

  #interrupt(reason: unknown): void {
    const step = this.#step
    this.#step = undefined
    const { signal } = this
    this.#controller.abort(reason)
    step?.reject(signal.reason)
  }

  #wakeAt(atMs: number): void {
    if (atMs >= this.#wakeAtMs || this.#isEnded) return
    this.#cancelTimer?.()
    this.#wakeAtMs = atMs
    const delayMs = Math.max(0, atMs - this.#clock.nowMs())
    this.#cancelTimer = startTimer(this.#clock, delayMs, () => this.#wake())
  }

  #wake(): void {
    const nowMs = this.#clock.nowMs()
    this.#wakeAtMs = Infinity
    for (const [caller, leave] of this.#callers) {
      if (caller.deadlineAtMs <= nowMs) leave(this.#deadlineError(caller))
    }
    const step = this.#step
    if (step?.atEnd !== undefined && step.endAtMs <= nowMs) this.#interrupt(step.atEnd())
    this.#wakeAt(Math.min(this.#step?.endAtMs ?? Infinity, ...deadlinesOf(this.#callers)))
  }

  #deadlineError({ endpoint, limitMs }: Caller): RequestTimeoutError {
    const { attempts, phase, lastError: cause } = this
    return new RequestTimeoutError({ endpoint, attempts, phase, limitMs, cause, scope: 'deadline' })
  }
}

function deadlinesOf(callers: ReadonlyMap<Caller, unknown>): number[] {
  return Array.from(callers.keys(), ({ deadlineAtMs }) => deadlineAtMs)
}
