import type { Clock } from '../../shared/clock.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { Logger } from '../../shared/logger.js'

/** Another server takes over after this time and {@link STANDBY_INTERVAL_MS}. */
const LEASE_MS = 10_000
/** Two renewals may be late or fail before the lease expires. */
const RENEW_INTERVAL_MS = 3000
/** Time between two attempts to acquire the lease of another server. */
export const STANDBY_INTERVAL_MS = 3000

/** Stores the lease that decides which server follows. */
interface LeaseStore {
  acquire(leaseMs: number): Promise<boolean>
  release(): Promise<void>
}

/** Repeats a turn: when its delay is over, or when it is woken. */
export interface Repeater {
  start(): void
  wake(): void
  /** Begins no new turn; resolves when the running one has ended. */
  stop(): Promise<void>
}

/** Creates a repeater. @param takeTurn never rejects, and returns the delay until the next turn, milliseconds */
type Repeat = (takeTurn: () => Promise<number>) => Repeater

/** Options of a lease. */
export interface LeaseOptions {
  store: LeaseStore
  clock: Clock
  logger: Logger
  repeat: Repeat
  /** Aborted when the server closes. */
  closing: AbortSignal
}

/** The reason of an aborted pass: another server has acquired the lease, and saves the progress from then on. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * The lease of a stored cursor, as this server holds it: renewed independently of passes, so that a slow one does not lose
 * it. No method rejects.
 */
export class Lease {
  /** When another server was last seen to hold the lease, milliseconds since the Unix epoch. */
  otherHeldAtMs = -Infinity
  readonly #options: LeaseOptions
  readonly #onLost: () => void
  readonly #renewals: Repeater
  #held: AbortController | undefined
  /** When the last request that has acquired or renewed the lease began, milliseconds since the Unix epoch. */
  #acquiredAtMs = -Infinity

  constructor(options: LeaseOptions, onLost: () => void) {
    this.#options = options
    this.#onLost = onLost
    this.#renewals = options.repeat(() => this.#renew())
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

  /** Acquires or renews the lease before a pass. */
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
    const { store, logger } = this.#options
    await this.#renewals.stop()
    this.#held = undefined
    try {
      await store.release()
    } catch (error) {
      logger.warn('watcher lease not released; it expires', { error: errorFacts(error) })
    }
  }

  /** A closing server does not renew: a pass that does not end must not keep the lease. */
  async #renew(): Promise<number> {
    const leftMs = this.#acquiredAtMs + RENEW_INTERVAL_MS - this.#options.clock.nowMs()
    // A pass has renewed it. The clock may have been set back.
    if (this.isHeld && leftMs > 0 && leftMs < RENEW_INTERVAL_MS) return leftMs
    // A store that fails is logged before the next pass.
    if (this.isHeld && !this.#options.closing.aborted) await this.#ask().catch(() => undefined)
    return RENEW_INTERVAL_MS
  }

  /** @throws what the store throws. */
  async #ask(): Promise<void> {
    const { clock, store } = this.#options
    const beganAtMs = clock.nowMs()
    if (await store.acquire(LEASE_MS)) {
      this.#acquiredAtMs = beganAtMs
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
