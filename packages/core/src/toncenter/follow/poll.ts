import type { Cursor } from '../paging/cursor.js'
import type { LearnedPageSize } from '../paging/pages.js'
import type { WireParams } from '../schema/params-object.js'
import type { TimedList } from '../paging/row-list.js'
import type { WatchPosition, WatchProgress } from './watch-progress.js'
import type { FollowedServer, WatchOptions } from './watch.js'

/** A watched list, with the options of the watch that apply to each poll. */
export interface WatchedList {
  list: TimedList
  params: WireParams
  /** The digest of the parameters, for cursors. */
  filter: string
  overlapSeconds: number
  pageSize: number
  learned: LearnedPageSize
  onError: WatchOptions['onError']
}

/** One poll, from the current position up to the newest masterchain block. */
export interface Poll extends WatchedList {
  server: FollowedServer
  progress: WatchProgress
  /** Time of the newest masterchain block, Unix seconds. Later rows are not read. */
  head: number
  /** `true` if the end must be confirmed, not assumed from a short page. */
  isThorough: boolean
}

export function cursorAt({ list, filter }: WatchedList, position: WatchPosition | null): Cursor {
  return { endpoint: list.endpoint.name, position, filter, isDone: false }
}
