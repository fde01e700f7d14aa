import { createPoller, type Poller } from '../payments/poller.js'
import { errorFacts } from '../shared/error-facts.js'
import type { ResolvedWatcherOptions } from './options.js'

/** Another server takes over after this time and {@link STANDBY_EVERY_MS}. */
const LEASE_MS = 10_000
/** Two renewals may be late or fail before the lease expires. */
const RENEW_EVERY_MS = 3000
/** Time between two attempts to acquire the lease of another server. */
export const STANDBY_EVERY_MS = 3000

/** The reason of an aborted run: another server has acquired the lease, and saves the progress from then on. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * The lease of the cursor, as this server holds it: renewed independently of runs, so that a slow one does not lose it. No
 * method rejects.
 */
export class Lease {
  /** When another server was last seen to hold the lease, milliseconds since the Unix epoch. */
  otherHeldAtMs = -Infinity
  readonly #options: ResolvedWatcherOptions
  readonly #closing: AbortSignal
  readonly #onLost: () => void
  readonly #renewals: Poller
  #held: AbortController | undefined

  constructor(options: ResolvedWatcherOptions & { closing: AbortSignal }, onLost: () => void) {
    this.#options = options
    this.#closing = options.closing
    this.#onLost = onLost
    const { name, clock, instrumentation } = options.payments
    const takeTurn = (): Promise<number> => this.#renew()
    this.#renewals = createPoller({ name, clock, instrumentation, takeTurn })
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  /** Aborted when the lease is lost; `undefined` while this server does not hold it. */
  get signal(): AbortSignal | undefined {
    return this.#held?.signal
  }

  start(): void {
    this.#renewals.start()
  }

  /** Acquires or renews the lease before a run. */
  async acquire(): Promise<void> {
    try {
      await this.#ask()
    } catch (error) {
      this.#options.logger.warn('watcher cursor not reachable', { error: errorFacts(error) })
      this.#held = undefined
    }
  }

  /** Ends the renewals and the lease. */
  async release(): Promise<void> {
    const { cursor, logger } = this.#options
    await this.#renewals.stop()
    this.#held = undefined
    try {
      await cursor.release()
    } catch (error) {
      logger.warn('watcher lease not released; it expires', { error: errorFacts(error) })
    }
  }

  /** A closing server does not renew: a run that does not end must not keep the lease. */
  async #renew(): Promise<number> {
    // A cursor that fails is logged before the next run.
    if (this.isHeld && !this.#closing.aborted) await this.#ask().catch(() => undefined)
    return RENEW_EVERY_MS
  }

  /** @throws what the cursor throws. */
  async #ask(): Promise<void> {
    const { clock, cursor } = this.#options
    if (await cursor.acquire(LEASE_MS)) {
      this.#held ??= new AbortController()
      return
    }
    this.otherHeldAtMs = clock.nowMs()
    this.#lose()
  }

  #lose(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#options.logger.warn('watcher lease lost; another server watches')
    held.abort(new LeaseLost('another server has acquired the lease of the cursor'))
    this.#onLost()
  }
}
