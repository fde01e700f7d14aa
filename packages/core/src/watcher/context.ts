import type { InFlight } from '../shared/in-flight.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Runs } from './runs.js'

/** The options of a watcher, and what its parts share. */
export interface WatcherContext extends ResolvedWatcherOptions {
  runs: Runs
  /** Counts the runs and look-ups that the schedule does not know. */
  inFlight: InFlight
  /** Aborted when the watcher is closed. */
  closing: AbortSignal
  /** Begins a run now, for example because events of the stream may be missing. */
  lookNow: () => void
  /** Begins a run after `minEveryMs`, for example because a look-up failed. */
  lookSoon: () => void
}
