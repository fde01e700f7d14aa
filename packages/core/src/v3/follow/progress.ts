import type { Position } from '../../paging/strategy.js'

/** How far a follow has come. */
export interface FollowPosition extends Position {
  /** Unix seconds: everything earlier was delivered. */
  readonly from: number
  /** What was delivered of that time and later: its time and its id each. */
  readonly seen: readonly string[]
}

/** How far a follow has come, while it runs. What is kept is bounded by the rows of the overlap and one page. */
export interface Progress {
  /** Unix seconds: where to read from. */
  readonly from: number
  has(id: string): boolean
  record(id: string, utime: number): void
  /** Unix seconds: the newest of what is known. */
  newest(): number
  /** Says that everything earlier than `utime` was delivered. It never goes back. */
  raise(utime: number): void
  /** Forgets what will not be read again. */
  prune(): void
  position(): FollowPosition
  /** The same, as if a row had been delivered. */
  positionWithout(id: string, utime: number): FollowPosition
}

/** Goes on from a place. */
export function createProgress(start: FollowPosition): Progress {
  let { from } = start
  const utimes = new Map<string, number>(start.seen.map(readSeen))
  const position = (): FollowPosition => {
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

/** Reads a stored place; `undefined` when it is none. */
export function parseFollowPosition(position: Position): FollowPosition | undefined {
  const { from, seen } = position
  if (!Number.isSafeInteger(from) || !Array.isArray(seen)) return undefined
  const isSeen = (one: unknown): boolean => typeof one === 'string' && /^\d+ ./.test(one)
  // Both of its fields were looked at.
  return seen.every(isSeen) ? (position as FollowPosition) : undefined
}

function readSeen(text: string): [id: string, utime: number] {
  const space = text.indexOf(' ')
  return [text.slice(space + 1), Number(text.slice(0, space))]
}
