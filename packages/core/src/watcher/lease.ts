import { errorFacts } from '../shared/error-facts.js'
import type { ResolvedWatcherOptions } from './options.js'

/** Difference between the clocks of servers that the lease tolerates. */
const LEASE_MARGIN_MS = 10_000

type LeaseOptions = Pick<ResolvedWatcherOptions, 'cursor' | 'maxEveryMs' | 'maxRunMs' | 'logger'>

/** The lease of the cursor: one of the servers that share a cursor holds it and runs. No method rejects. */
export class Lease {
  readonly #options: LeaseOptions

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Returns true when this server holds the lease, false when another one does, `undefined` when the cursor fails. */
  async acquire(): Promise<boolean | undefined> {
    const { cursor, maxEveryMs, maxRunMs, logger } = this.#options
    try {
      return await cursor.acquire(maxEveryMs + maxRunMs + LEASE_MARGIN_MS)
    } catch (error) {
      logger.warn('watcher cursor not reachable', { error: errorFacts(error) })
      return undefined
    }
  }

  async release(): Promise<void> {
    const { cursor, logger } = this.#options
    try {
      await cursor.release()
    } catch (error) {
      logger.warn('watcher lease not released; it expires', { error: errorFacts(error) })
    }
  }
}
