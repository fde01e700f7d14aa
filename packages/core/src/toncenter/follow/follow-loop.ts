import { errorFacts } from '../../shared/error-facts.js'
import { dueAtMs, type FollowInterval, type FollowState } from './due-at.js'
import { Lease, STANDBY_INTERVAL_MS, type LeaseOptions } from './lease.js'

/** Longest duration of a pass. */
const MAX_PASS_MS = 50_000

/** Options of {@link FollowLoop}. */
export interface FollowLoopOptions extends LeaseOptions, FollowInterval {
  /** Reads what is new. Rejects when its signal is aborted, and for programming errors. */
  pass: (signal: AbortSignal) => Promise<void>
  /** Reads what decides when the next pass is due. Never rejects. */
  refresh: () => Promise<void>
  state: () => FollowState
  /** Called before and after a pass. */
  onTurn: (isHeld: boolean) => void
}

/**
 * Repeats passes while this server holds the lease, and runs those that are requested. A pass that takes too long is aborted.
 * Errors are logged. No method rejects.
 */
export class FollowLoop {
  /** When `start` was called, milliseconds since the Unix epoch. */
  startedAtMs: number | undefined
  /** Counts the work that the turns do not know. */
  readonly inFlight: InFlight = createInFlight()
  readonly #options: FollowLoopOptions
  readonly #lease: Lease
  readonly #turns
  /** Resolve the requests: all that were made before a pass begins wait for its end. */
  readonly #requests: (() => void)[] = []
  #lastRequested: Promise<void> = Promise.resolve()
  #ranAtMs = -Infinity

  constructor(options: FollowLoopOptions) {
    this.#options = options
    this.#lease = new Lease(options, () => options.onTurn(false))
    this.#turns = options.repeat(() => this.#takeTurn())
  }

  start(): void {
    this.startedAtMs = this.#options.clock.nowMs()
    this.#lease.start()
    this.#turns.start()
  }

  /** Ends the turns and the lease; resolves when no work is left. */
  async stop(): Promise<void> {
    if (this.startedAtMs !== undefined) {
      await this.#turns.stop()
      await this.#lease.release()
    }
    await this.inFlight.drained()
  }

  /** Begins a pass now, or after the running one; without the lease before `start`. Resolves at the end of the pass. */
  request(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#requests.push(resolve) > 1) return
      if (this.startedAtMs === undefined) this.#runRequested()
      else this.#turns.wake()
    })
  }

  /** Resolves the requests whose pass will not begin. */
  endRequests(): void {
    this.#takeRequests()()
  }

  /**
   * Returns when all was last known to be well, milliseconds since the Unix epoch; `undefined` unless it is started.
   * @param completeAtMs when a pass was last complete
   */
  completeSinceMs(completeAtMs: number): number | undefined {
    if (this.startedAtMs === undefined || this.#options.closing.aborted) return undefined
    return Math.max(this.startedAtMs, completeAtMs, this.#lease.otherHeldAtMs)
  }

  /** Called when a pass begins. Returns the function to call at its end. */
  #takeRequests(): () => void {
    const requests = this.#requests.splice(0)
    return () => {
      for (const end of requests) end()
    }
  }

  /** Runs without the lease, after the passes requested before. */
  #runRequested(): void {
    this.#lastRequested = this.#lastRequested.then(async () => {
      const end = this.#takeRequests()
      await this.inFlight.track(() => this.#run())
      end()
    })
  }

  async #takeTurn(): Promise<number> {
    if (this.#requests.length === 0 && !(await this.#isDue())) return this.#delayMs()
    const end = this.#takeRequests()
    await this.#runAsHolder()
    end()
    return this.#delayMs()
  }

  async #runAsHolder(): Promise<void> {
    const { clock, onTurn } = this.#options
    await this.#lease.acquire()
    onTurn(this.#lease.isHeld)
    if (!this.#lease.isHeld) {
      this.#ranAtMs = clock.nowMs()
      return
    }
    await this.#run(this.#lease.signal)
    onTurn(this.#lease.isHeld)
  }

  /** Runs unless the server closes. @param lost ends the pass */
  async #run(lost?: AbortSignal): Promise<void> {
    const { clock, logger, closing, pass } = this.#options
    if (closing.aborted) return
    const timeUp = new AbortController()
    const cancel = clock.setTimer(() => timeUp.abort(), MAX_PASS_MS, { isBackground: true })
    const signals = [closing, timeUp.signal, ...(lost === undefined ? [] : [lost])]
    const signal = AbortSignal.any(signals)
    try {
      await pass(signal)
    } catch (error) {
      const level = signal.aborted ? 'info' : 'error'
      logger[level]('watcher run aborted; the next one continues', { error: errorFacts(error) })
    } finally {
      cancel()
    }
    this.#ranAtMs = clock.nowMs()
  }

  /** Returns whether a pass is due. Refreshes first if that can make one due. */
  async #isDue(): Promise<boolean> {
    const { clock, refresh, onTurn } = this.#options
    if (this.#lease.isHeld && this.#dueAtMs() > clock.nowMs()) {
      await refresh()
      onTurn(this.#lease.isHeld)
    }
    return this.#dueAtMs() <= clock.nowMs()
  }

  /** Returns the time until the next turn, milliseconds. */
  #delayMs(): number {
    const { clock, minIntervalMs } = this.#options
    const leftMs = Math.max(0, this.#dueAtMs() - clock.nowMs())
    return this.#lease.isHeld ? Math.min(leftMs, minIntervalMs) : leftMs
  }

  #dueAtMs(): number {
    const ranAtMs = this.#ranAtMs
    if (!this.#lease.isHeld) return ranAtMs + STANDBY_INTERVAL_MS
    const { clock, state } = this.#options
    return dueAtMs(this.#options, state(), { nowMs: clock.nowMs(), ranAtMs })
  }
}

/** Counts running work, so that a shutdown can wait for it. */
interface InFlight {
  /** Runs the work, and counts it until it settles. */
  track<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when nothing is running. */
  drained(): Promise<void>
}

function createInFlight(): InFlight {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async track(work) {
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) for (const resolve of waiting.splice(0)) resolve()
      }
    },
    drained: () =>
      new Promise((resolve) => {
        if (running === 0) resolve()
        else waiting.push(resolve)
      }),
  }
}
