import type { Position } from '../../paging/cursor.js'

export interface WatchPosition extends Position {
  /** Unix seconds: everything earlier was delivered. */
  readonly from: number
  /** Time and id of each row from then on that was delivered. */
  readonly seen: readonly string[]
}

/** Progress of a running watch. Its size is bounded by the rows of the overlap and one page. */
export interface WatchProgress {
  /** Unix seconds: the time to read from. */
  readonly from: number
  has(id: string): boolean
  record(id: string, utime: number): void
  /** Returns the newest known time, Unix seconds. */
  newest(): number
  /** Records that everything earlier than `utime` was delivered. It never goes back. */
  raise(utime: number): void
  /** Forgets rows that will not be read again. */
  prune(): void
  position(): WatchPosition
  /** Returns the position as if a row had been delivered. */
  positionWithout(id: string, utime: number): WatchPosition
}

export function createProgress(start: WatchPosition): WatchProgress {
  let { from } = start
  const utimes = new Map<string, number>(start.seen.map(readSeen))
  const position = (): WatchPosition => {
    const kept = [...utimes].filter(([, utime]) => utime >= from)
    return { from, seen: kept.map(([id, utime]) => `${utime} ${id}`) }
  }
  return {
    get from() {
      return from
    },
    has: (id) => utimes.has(id),
    record: (id, utime) => void utimes.set(id, utime),
    newest() {
      let newest = 0
      for (const utime of utimes.values()) newest = Math.max(newest, utime)
      return newest
    },
    raise(utime) {
      from = Math.max(from, utime)
    },
    prune() {
      for (const [id, utime] of utimes) if (utime < from) utimes.delete(id)
    },
    position,
    positionWithout(id, utime) {
      const { seen } = position()
      return { from, seen: [...seen, `${utime} ${id}`] }
    },
  }
}

export function parseWatchPosition(position: Position): WatchPosition | undefined {
  const { from, seen } = position
  if (!Number.isSafeInteger(from) || !Array.isArray(seen)) return undefined
  const isSeen = (one: unknown): boolean => typeof one === 'string' && /^\d+ ./.test(one)
  // Both fields were checked.
  return seen.every(isSeen) ? (position as WatchPosition) : undefined
}

function readSeen(text: string): [id: string, utime: number] {
  const space = text.indexOf(' ')
  return [text.slice(space + 1), Number(text.slice(0, space))]
}
