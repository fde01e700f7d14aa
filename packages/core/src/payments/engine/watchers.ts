/**
 * Returns the chain time up to which a watcher has scanned all its wallets without a gap, Unix seconds; `undefined` while it
 * is unknown.
 */
export type CheckedUntil = () => Promise<number | undefined>

/** The open watchers of one Payments. */
export interface Watchers {
  /** Returns the function that ends the watch. */
  add: (checkedUntil: CheckedUntil) => () => void
  isWatched: () => boolean
  /** Returns the earliest time of all watchers; `undefined` without watchers. Never rejects. */
  checkedUntil: CheckedUntil
}

/** Creates the list of the watchers in this process that read the wallets. */
export function createWatchers(): Watchers {
  const open = new Set<{ checkedUntil: CheckedUntil }>()
  return {
    add: (checkedUntil) => {
      const watcher = { checkedUntil }
      open.add(watcher)
      return () => void open.delete(watcher)
    },
    isWatched: () => open.size > 0,
    checkedUntil: async () => {
      // A cursor that cannot be loaded is logged by the next run.
      const read = [...open].map((watcher) => watcher.checkedUntil().catch(() => undefined))
      const times = await Promise.all(read)
      const known = times.filter((time) => time !== undefined)
      return known.length > 0 && known.length === times.length ? Math.min(...known) : undefined
    },
  }
}
