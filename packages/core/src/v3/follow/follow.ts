import type { TonplugError } from '../../errors/tonplug-error.js'
import type { Cursor } from '../../paging/cursor.js'
import type { RequestOptions } from '../../transport/options.js'

/** Options of everything that follows. Those of a request hold for each of its requests; `signal` ends the follow. */
export interface FollowOptions extends RequestOptions {
  /** Where to go on: what `cursor()` of an earlier follow with the same parameters said. */
  cursor?: Cursor | undefined
  /** The wait between two polls when there is nothing to catch up with. @default 5000; 1000 for masterchain blocks */
  pollMs?: number | undefined
  /** Rows asked for in one request. @default 100; 1000 for masterchain blocks */
  pageSize?: number | undefined
  /**
   * Told of every failure that is waited out: one that may pass, such as a timeout or an answer 5xx. The wait doubles
   * from `pollMs` up to a minute. Also told of a row that stays pending, as a `NotFinalError`. What this throws ends the
   * follow.
   */
  onError?: ((error: TonplugError) => void) | undefined
  /** Whoever waits for a single answer goes first. @default 'low' */
  priority?: RequestOptions['priority']
}

/**
 * An endless loop over what is new. It ends with the signal's reason, or with an error that does not pass by itself;
 * a loop that has ended, or was left, is continued by the next loop over the same follow. Only one may run at a time.
 * A row that cannot be read ends it with an `UnreadableRowError`, whose `cursor` goes on without that row.
 */
export interface Follow<Item> extends AsyncIterable<Item> {
  /**
   * How far the follow has come: plain JSON. All that was delivered is behind it, what the loop now works on included:
   * store it when that work is done.
   */
  cursor(): Cursor
}
