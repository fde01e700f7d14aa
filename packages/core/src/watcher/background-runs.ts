import { createPoller, type Poller, type PollerOptions } from '../payments/poller.js'
import type { InFlight } from '../shared/in-flight.js'
import { RunRequests } from './run-requests.js'
import type { Schedule } from './schedule.js'

/** Dependencies of {@link BackgroundRuns}. */
interface BackgroundRunsOptions extends Omit<PollerOptions, 'takeTurn'> {
  schedule: Schedule
  /** Counts the runs before `start`. */
  inFlight: InFlight
}

/** The scheduled runs of a started watcher, and the runs on request. No method rejects. */
export class BackgroundRuns {
  /** When `start` was called, milliseconds since the Unix epoch. */
  startedAtMs: number | undefined
  readonly #options: BackgroundRunsOptions
  readonly #poller: Poller
  readonly #requests = new RunRequests(() => {
    if (this.startedAtMs === undefined) void this.#runRequested()
    else this.#poller.wake()
  })
  #lastRequested: Promise<void> = Promise.resolve()

  constructor(options: BackgroundRunsOptions) {
    this.#options = options
    this.#poller = createPoller({ ...options, takeTurn: () => this.#takeTurn() })
  }

  start(): void {
    this.startedAtMs = this.#options.clock.nowMs()
    this.#poller.start()
  }

  /** Begins a run now, or after the running one; without the lease before `start`. Resolves at the end of the run. */
  request(): Promise<void> {
    return this.#requests.request()
  }

  /** Ends the scheduled runs and the lease. */
  async stop(): Promise<void> {
    if (this.startedAtMs === undefined) return
    await this.#poller.stop()
    await this.#options.schedule.releaseLease()
  }

  /** Resolves the requests whose runs will not begin. */
  endRequests(): void {
    this.#requests.begin()()
  }

  async #takeTurn(): Promise<number> {
    const { schedule } = this.#options
    if (!this.#requests.isWaiting && !(await schedule.isDue())) return schedule.delayMs()
    const end = this.#requests.begin()
    await schedule.runAsHolder()
    end()
    return schedule.delayMs()
  }

  /** Runs without the lease, after the runs requested before. */
  #runRequested(): Promise<void> {
    const { schedule, inFlight } = this.#options
    this.#lastRequested = this.#lastRequested.then(async () => {
      const end = this.#requests.begin()
      await inFlight.track(() => schedule.run())
      end()
    })
    return this.#lastRequested
  }
}
