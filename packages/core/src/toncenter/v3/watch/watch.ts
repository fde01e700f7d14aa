import type { Clock } from '../../../shared/clock.js'
import { isObject } from '../../../shared/is-object.js'
import { hintForName } from '../../../shared/nearest-name.js'
import type { TonplugError } from '../../../shared/tonplug-error.js'
import type { Endpoint } from '../../endpoint/endpoint.js'
import { invalidOption, type Cursor } from '../../paging/cursor.js'
import { anyOption, functionParam, type OptionShape } from '../../schema/options.js'
import { optionalParam } from '../../schema/param.js'
import { intParam } from '../../schema/params.js'
import { checkParams, type WireParams } from '../../schema/params-object.js'
import { requestOptions, type RequestOptions } from '../../transport/call-options.js'
import type { V3Call } from '../call.js'
import type { RawRequest } from '../../endpoint/raw-request.js'

/** Options of every watch. Those of a request apply to each of its requests; `signal` ends the watch. */
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

export interface PollCalls {
  readonly call: V3Call
  /** Returns an unchecked response body, for unreadable rows. */
  readRaw(this: void, request: RawRequest, options: RequestOptions): Promise<unknown>
}

export interface WatchSource {
  /** Creates the calls of one poll. They keep to one server while it responds, since servers differ by some blocks. */
  open(): PollCalls
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

/**
 * Checks the parameters of a watch.
 * @param refused parameters of the endpoint that a watch does not have, with the reason as the end of a sentence
 * @throws {InvalidParamsError} for these, for an unknown one with the nearest name, and for an invalid value.
 */
export function checkWatchParams(
  { name, params: schema }: Endpoint,
  given: unknown,
  refused: Readonly<Record<string, string>>,
): WireParams {
  const known = Object.keys(schema.shape).filter((one) => !Object.hasOwn(refused, one))
  if (!isObject(given)) throw invalidOption(name, '', 'the parameters must be an object')
  for (const one of Object.keys(given)) {
    if (known.includes(one) || one.startsWith('@') || given[one] === undefined) continue
    const reason = Object.hasOwn(refused, one) ? refused[one] : hintForName(one, known)
    throw invalidOption(name, one, `is not a parameter of a watch; ${reason}`)
  }
  const isKnown = ([one]: [string, unknown]): boolean => known.includes(one)
  const wire = checkParams(name, schema, Object.fromEntries(Object.entries(given).filter(isKnown)))
  // Parameters that a watch does not have may have a default.
  return Object.fromEntries(Object.entries(wire).filter(isKnown))
}
