import type { Position } from '../paging/cursor.js'

/** The stored cursor of a watch: a time, and the delivered rows that a read from this time returns again. */
export interface WatchPosition extends Position {
  /** Unix seconds: everything earlier was delivered. */
  readonly from: number
  /** Time and id of each row from then on that was delivered. */
  readonly seen: readonly string[]
}

/** Progress of a running watch. Its size is bounded by the rows of the overlap and one page. */
export type WatchProgress = ReturnType<typeof createProgress>

/** Creates the progress of a watch that continues at a position. */
export function createProgress(start: WatchPosition) {
  let { from } = start
  const utimes = new Map<string, number>(start.seen.map(readSeen))
  const position = (): WatchPosition => {
    const kept = [...utimes].filter(([, utime]) => utime >= from)
    return { from, seen: kept.map(([id, utime]) => `${utime} ${id}`) }
  }
  return {
    /** Returns the time to read from, Unix seconds. */
    from: () => from,
    has: (id: string) => utimes.has(id),
    record: (id: string, utime: number) => void utimes.set(id, utime),
    /** Returns the newest known time, Unix seconds. */
    newest() {
      let newest = 0
      for (const utime of utimes.values()) newest = Math.max(newest, utime)
      return newest
    },
    /** Records that everything earlier than `utime` was delivered. It never goes back. */
    raise(utime: number) {
      from = Math.max(from, utime)
    },
    /** Forgets rows that will not be read again. */
    prune() {
      for (const [id, utime] of utimes) if (utime < from) utimes.delete(id)
    },
    position,
    /** Returns the position as if a row had been delivered. */
    positionWithout(id: string, utime: number): WatchPosition {
      const { seen } = position()
      return { from, seen: [...seen, `${utime} ${id}`] }
    },
  }
}

/** Returns a stored position; `undefined` if its format is another one. */
export function parseWatchPosition(position: Position): WatchPosition | undefined {
  const { from, seen } = position
  if (!Number.isSafeInteger(from) || !Array.isArray(seen)) return undefined
  const isDetected = (one: unknown): boolean => typeof one === 'string' && /^\d+ ./.test(one)
  // Both fields were checked.
  return seen.every(isDetected) ? (position as WatchPosition) : undefined
}

function readSeen(text: string): [id: string, utime: number] {
  const space = text.indexOf(' ')
  return [text.slice(space + 1), Number(text.slice(0, space))]
}
