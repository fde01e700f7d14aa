import { RepositoryError } from '../orders/errors.js'
import type { PaymentsInternals } from './internals.js'
import type { ClaimLateRefunds } from './late-refunds.js'

/**
 * Returns the chain time up to which a watcher has scanned all its wallets without a gap, Unix seconds; `undefined` while it
 * is unknown.
 */
export type CheckedUntil = () => Promise<number | undefined>

/** A watcher of this process, as Payments uses it. */
type Watcher = Parameters<PaymentsInternals['addWatcher']>[0]

/** The open watchers of one Payments. */
export interface Watchers {
  /** Returns the function that ends the watch. */
  add: (watcher: Watcher) => () => void
  isWatched: () => boolean
  /** Looks up a transaction with each watcher. */
  lookUp: Watcher['lookUp']
  /** Looks with a watcher. @throws {RepositoryError} without watchers. */
  claimLateRefunds: ClaimLateRefunds
  /** Returns the earliest time of all watchers; `undefined` without watchers. Never rejects. */
  checkedUntil: CheckedUntil
}

/** Creates the list of the watchers in this process that read the wallets. */
export function createWatchers(): Watchers {
  const open = new Set<Watcher>()
  return {
    add: (watcher) => {
      open.add(watcher)
      return () => void open.delete(watcher)
    },
    isWatched: () => open.size > 0,
    lookUp: (transactionHash, jetton) => {
      for (const watcher of open) watcher.lookUp(transactionHash, jetton)
    },
    claimLateRefunds: (released) => {
      const [watcher] = open
      if (watcher !== undefined) return watcher.claimLateRefunds(released)
      const hashes = released.map(({ txHash }) => txHash).join(', ')
      const problem = `the refund of ${hashes} was released, and this process cannot see whether it was sent since: it needs a watcher, or createOperator() needs v3`
      return Promise.reject(new RepositoryError({ operation: 'refunds.find', problem }))
    },
    checkedUntil: async () => {
      // A cursor that cannot be loaded is logged by the next run.
      const read = [...open].map((watcher) => watcher.checkedUntil().catch(() => undefined))
      const times = await Promise.all(read)
      const known = times.filter((time) => time !== undefined)
      return known.length > 0 && known.length === times.length ? Math.min(...known) : undefined
    },
  }
}
