import type { Clock } from '../../shared/clock.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import type { Call } from '../endpoint/client.js'
import type { RawRequest } from '../endpoint/raw-request.js'
import type { Cursor } from '../paging/cursor.js'
import { anyOption, functionParam, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { intParam } from '../schema/params.js'
import { requestOptions, type RequestOptions } from '../transport/call-options.js'

/** Options of every watch. Options of a request apply to each of its requests; `signal` ends the watch. */
export interface WatchOptions extends RequestOptions {
  /** Continues from `cursor()` of an earlier watch with the same parameters. */
  cursor?: Cursor | undefined
  /** The delay between two polls, unless the watch is behind. @default 5000; 1000 for masterchain blocks */
  pollMs?: number | undefined
  /** Rows per request. @default 100; 1000 for masterchain blocks */
  pageSize?: number | undefined
  /**
   * Called with each transient failure, for example a timeout or a 5xx response. The delay doubles from `pollMs` up to a
   * minute. Also called with a `NotFinalError` for a row that stays pending. An error thrown here ends the watch.
   */
  onError?: ((error: TonplugError) => void) | undefined
  /** Calls that wait for a single response have priority. @default 'low' */
  priority?: RequestOptions['priority']
}

/**
 * An endless loop over new rows. It ends with the signal's reason or with a permanent error; an unreadable row ends it with
 * an `UnreadableRowError`, whose `cursor` continues without that row. A new loop over the same watch continues where the
 * previous one ended or was left. Only one loop may run at a time.
 */
export interface Watch<Item> extends AsyncIterable<Item> {
  /**
   * Returns the position after everything that was delivered, including what the loop is processing, as plain JSON. Store
   * it when that has been processed.
   */
  cursor(): Cursor
}

/** Calls that keep to one server while it responds, since servers differ by some blocks. */
export interface FollowedServer {
  readonly call: Call<RequestOptions>
  /** Returns the time of the newest masterchain block, Unix seconds. */
  readHead(this: void, options: RequestOptions): Promise<number>
  /** Returns an unchecked response body, for unreadable rows. */
  readRaw(this: void, request: RawRequest, options: RequestOptions): Promise<unknown>
  /** Returns true if another server has responded to a call, which may be behind. */
  hasServerChanged(this: void): boolean
}

/** The index that watches read. */
export interface WatchSource<Server extends FollowedServer = FollowedServer> {
  /** Opens the calls of one poll. */
  open(): Server
  clock: Clock
}

const MS_OF_A_DAY = 86_400_000

/** Returns the options of a watch, with their checks. @param minPageSize the smallest `pageSize` */
export function watchOptions(minPageSize: number): OptionShape<WatchOptions> {
  return {
    ...requestOptions,
    cursor: anyOption,
    pollMs: optionalParam(intParam(1, MS_OF_A_DAY)),
    pageSize: optionalParam(intParam(minPageSize, 1000)),
    onError: optionalParam(functionParam),
  }
}
