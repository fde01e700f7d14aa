import type { Order } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import type { ResolvedWatcherOptions } from './options.js'

/** Difference between the clocks of servers that the lease tolerates. */
const LEASE_MARGIN_MS = 10_000

/** The lease of the cursor: one of the servers that share a cursor holds it and runs. No method rejects. */
export interface Lease {
  /** Returns true when this server holds the lease, false when another one does, `undefined` when the cursor fails. */
  acquire(): Promise<boolean | undefined>
  release(): Promise<void>
}

/** Creates the lease of this server. */
export function createLease<O extends Order>(options: ResolvedWatcherOptions<O>): Lease {
  const { cursor, maxEveryMs, maxRunMs, logger } = options
  return {
    async acquire() {
      try {
        return await cursor.acquire(maxEveryMs + maxRunMs + LEASE_MARGIN_MS)
      } catch (error) {
        logger.warn('watcher cursor not reachable', { error: errorFacts(error) })
        return undefined
      }
    },
    async release() {
      try {
        await cursor.release()
      } catch (error) {
        logger.warn('watcher lease not released; it expires', { error: errorFacts(error) })
      }
    },
  }
}
