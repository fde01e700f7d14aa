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

/** The deadline of a caller, or the end of a step. */
interface Limit {
  atMs: number
  fail: () => void
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
  priority: Priority = 'low'
  /** Timeout of one attempt. */
  timeoutMs = 0
  /** The latest deadline of its callers. */
  deadlineAtMs = 0
  lastError: TonplugError | undefined
  /** The error of the last attempt that may have been processed by the server. */
  lostError: TonplugError | undefined
  /** True while it has a slot of the rate limit for a request that it has not sent. */
  hasSlot = false

  readonly #clock: Clock
  readonly #work: (run: Run<T>) => Promise<T>
  readonly #onEnd: (run: Run<T>) => void
  readonly #limits = new Set<Limit>()
  #callers = 0
  #result: Promise<T> | undefined
  #controller = new AbortController()
  #step: (Limit & { reject: (reason: unknown) => void }) | undefined
  #isEnded = false
  #wakeAtMs = Infinity
  #cancelTimer: (() => void) | undefined

  /**
   * @param attempts requests sent for the same call before
   * @param work begins when the first caller joins
   * @param onEnd called when no further caller may join
   */
  constructor(
    clock: Clock,
    attempts: number,
    work: (run: Run<T>) => Promise<T>,
    onEnd: (run: Run<T>) => void,
  ) {
    this.#clock = clock
    this.attempts = attempts
    this.#work = work
    this.#onEnd = onEnd
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
   * Runs a step: a wait or an attempt. Rejects as soon as it is interrupted, even if the work ignores its signal: at its
   * limit, at the end of the run, and with {@link RAISED}.
   * @param atLimit creates the error of a step that takes longer than `limitMs`
   */
  step<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
    limitMs = Infinity,
    atLimit?: () => Error,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.throwIfEnded()
      const { signal } = this
      const atMs = this.#clock.nowMs() + limitMs
      const step = { atMs, fail: () => this.#interrupt(atLimit?.()), reject }
      this.#step = step
      this.#limits.add(step)
      this.#wakeAt(Math.min(atMs, this.deadlineAtMs))
      const finish = (): void => {
        this.#limits.delete(step)
        if (this.#step === step) this.#step = undefined
      }
      work(signal).finally(finish).then(resolve, reject)
    })
  }

  /** Waits for the result within the caller's limits. */
  join({ endpoint, signal, deadlineAtMs, limitMs, timeoutMs, priority }: Caller): Promise<T> {
    this.deadlineAtMs = Math.max(this.deadlineAtMs, deadlineAtMs)
    this.timeoutMs = Math.max(this.timeoutMs, timeoutMs)
    this.#raise(priority)
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown): void => {
        leave()
        reject(reason)
        if (this.#callers === 0) this.end()
      }
      const atDeadline = (): void => {
        const { attempts, phase, lastError: cause } = this
        const facts = { endpoint, attempts, phase, limitMs, cause }
        fail(new RequestTimeoutError({ ...facts, scope: 'deadline' }))
      }
      const limit = { atMs: deadlineAtMs, fail: atDeadline }
      const leave = (): void => {
        if (this.#limits.delete(limit)) this.#callers--
        stopListening?.()
      }
      this.#limits.add(limit)
      this.#callers++
      const stopListening = signal && onAbort(signal, () => fail(signal.reason))
      const result = this.#start()
      this.#wakeAt(deadlineAtMs)
      result.finally(leave).then(resolve, reject)
    })
  }

  #start(): Promise<T> {
    if (this.#result !== undefined) return this.#result
    this.#result = this.#work(this)
    const finish = (): void => this.#finish()
    // Also handles a rejection after all callers have left.
    this.#result.then(finish, finish)
    return this.#result
  }

  #raise(priority: Priority): void {
    if (PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(this.priority)) return
    this.priority = priority
    if (this.phase === 'queue' && this.#step !== undefined) this.#interrupt(RAISED)
  }

  /** Ends the run for all callers. */
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
    const { signal } = this
    const step = this.#step
    this.#controller.abort(reason)
    step?.reject(signal.reason)
    this.#step = undefined
    if (step !== undefined) this.#limits.delete(step)
  }

  /** Checks the limits at that time at the latest. */
  #wakeAt(atMs: number): void {
    if (atMs >= this.#wakeAtMs || this.#isEnded) return
    this.#cancelTimer?.()
    this.#wakeAtMs = atMs
    const delayMs = Math.max(0, atMs - this.#clock.nowMs())
    this.#cancelTimer = startTimer(this.#clock, delayMs, () => {
      this.#wakeAtMs = Infinity
      const nowMs = this.#clock.nowMs()
      // Some are deleted in the loop, which a set allows.
      for (const limit of this.#limits) if (limit.atMs <= nowMs) limit.fail()
      for (const limit of this.#limits) this.#wakeAt(limit.atMs)
    })
  }
}
