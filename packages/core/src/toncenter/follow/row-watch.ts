import { ConfigurationError } from '../../shared/configuration-error.js'
import { loopsOver } from '../paging/cancelable-loop.js'
import { digestOf, readCursor } from '../paging/cursor.js'
import type { LearnedPageSize } from '../paging/pages.js'
import { checkOptions, objectParam, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { intParam, timeParam, type TimeLike } from '../schema/params.js'
import type { WireParams } from '../schema/params-object.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { TimedList } from '../paging/row-list.js'
import { readNewRows, type NewRow, type NewRows } from './new-rows.js'
import { cursorAt, type WatchedList } from './poll.js'
import { createPollBackoff } from './poll-backoff.js'
import { createProgress, parseWatchPosition, type WatchProgress } from './watch-progress.js'
import { watchOptions, type Watch, type WatchOptions, type WatchSource } from './watch.js'
import { accountsOf, checkWatchParams } from './watch-params.js'
import { createWaker, type EventSource } from './waker.js'

/** Options of a watch of rows. */
export interface RowWatchOptions extends WatchOptions {
  /**
   * The start without a cursor, inclusive. With it, `cursor()` is known at once: store it before the loop starts, so that a
   * crash before the first row loses nothing.
   * @default the time of the newest masterchain block at the first poll
   */
  from?: TimeLike | undefined
  /**
   * The time that a row may become visible after the newest masterchain block of its time. Each poll reads this time again.
   * @default 60; 300 for messages, actions, traces and events
   */
  overlapSeconds?: number | undefined
  /**
   * Polls at once when the stream reports a transaction of the accounts that the parameters select, and every minute
   * otherwise while the stream is connected. Needs `account`, `owner_address`, `address` or `jetton_wallet`.
   */
  stream?: EventSource | undefined
}

const rowWatchOptions: OptionShape<RowWatchOptions> = {
  // A page starts with a known row, so a page of one would have nothing new.
  ...watchOptions(2),
  from: optionalParam(timeParam),
  overlapSeconds: optionalParam(intParam(0, 86_400)),
  stream: optionalParam(objectParam('a stream from createStream()', 'subscribe')),
}

/** A watch of rows. Rows of one poll are delivered oldest first; a row that became visible late follows newer ones. */
export interface RowWatch<Row> extends Watch<Row> {
  /** Iterates over pages as they were received. None of them is empty. */
  pages(): AsyncIterable<Row[]>
  /** Polls once: iterates over the pages of new rows up to the newest block, then ends. Throws the errors of its requests. */
  poll(options?: PollOptions): AsyncIterable<Row[]>
}

/** Options of one poll of a watch. */
export interface PollOptions {
  /**
   * The time of the newest masterchain block, Unix seconds, which several watches can share.
   * @default the poll requests it
   */
  head?: number | undefined
  /** Ends the poll. @default that of the watch */
  signal?: AbortSignal | undefined
}

/**
 * Creates a watch of rows. The parameters may be left out if none is required.
 * @throws {ConfigurationError} at once for an unknown or invalid option.
 * @throws {InvalidParamsError} at once for an invalid parameter or cursor, or a parameter that a watch does not have.
 */
export type WatchRows<Params, Row> =
  Record<never, never> extends Params
    ? (params?: Params, options?: RowWatchOptions) => RowWatch<Row>
    : (params: Params, options?: RowWatchOptions) => RowWatch<Row>

/** A watch of rows, with its options. */
interface WatchSetup extends WatchedList, Required<Pick<RowWatchOptions, 'stream'>> {
  source: WatchSource
  pollMs: number
  /** Absent before the first poll, unless the caller chose the start. */
  progress: WatchProgress | undefined
  /** True before the first poll of a loop, whose start may be long ago. */
  isResumed: boolean
  request: RequestOptions
}

const EVENTS = { types: ['transactions', 'jettons_change'], minFinality: 'finalized' } as const

/**
 * Creates the watch of a list. Each poll requests the newest masterchain block first, reads all rows up to its time from
 * the current position, oldest first, and leaves out delivered rows. Rows of other shards, of other masterchain blocks or
 * of a server behind may become visible after newer ones, so the position stays at least `overlapSeconds` behind that
 * block. It also stays if the index stops.
 */
export function createRowWatch(
  list: TimedList,
  source: WatchSource,
  defaultOverlapSeconds: number,
): WatchRows<WireParams, unknown> {
  const learned: LearnedPageSize = { max: 1000 }
  return (given = {}, options = {}) => {
    checkOptions(rowWatchOptions, options)
    const params = checkWatchParams(list.endpoint, given)
    const { cursor, from, pollMs = 5000, pageSize = 100, onError, ...rest } = options
    const { overlapSeconds = defaultOverlapSeconds, stream, ...request } = rest
    if (stream !== undefined && accountsOf(params).length === 0) {
      const problem = 'needs account, owner_address, address or jetton_wallet among the parameters'
      throw new ConfigurationError({ option: 'stream', problem })
    }
    const filter = digestOf(params)
    return startWatch({
      list,
      params,
      filter,
      source,
      learned,
      pollMs,
      overlapSeconds,
      pageSize,
      onError,
      stream,
      isResumed: true,
      progress: readStart({ endpoint: list.endpoint.name, filter }, from, cursor),
      request: { priority: 'low', ...request },
    })
  }
}

function readStart(
  of: { endpoint: string; filter: string },
  from: TimeLike | undefined,
  cursor: unknown,
): WatchProgress | undefined {
  const { position } = readCursor(of, cursor, parseWatchPosition)
  if (position !== undefined) return createProgress(position)
  // The option was checked.
  const time = from === undefined ? undefined : timeParam.read(from, () => undefined)
  return time === undefined ? undefined : createProgress({ from: time, seen: [] })
}

function startWatch(watch: WatchSetup): RowWatch<unknown> {
  const deliver = ({ row, id, utime, deliveredTo }: NewRow): unknown => {
    watch.progress?.record(id, utime)
    watch.progress?.raise(deliveredTo)
    return row
  }
  return {
    ...loopsOver((signal) => pollRows(watch, signal), deliver, watch.request.signal),
    poll({ head, signal: outer = watch.request.signal } = {}) {
      return loopsOver((signal) => pollOnce(watch, { head, signal }), deliver, outer).pages()
    },
    cursor: () => cursorAt(watch, watch.progress?.position() ?? null),
  }
}

/** Polls indefinitely, and waits after transient errors. */
async function* pollRows(
  watch: WatchSetup,
  signal: AbortSignal,
): AsyncGenerator<NewRows, void, undefined> {
  const { params, source, pollMs, onError, stream } = watch
  const { clock } = source
  const addresses = accountsOf(params)
  const waker = stream && createWaker(clock, signal, { ...EVENTS, stream, addresses })
  const backoff = createPollBackoff({ clock, pollMs, signal, onError, waker })
  watch.isResumed = true
  for (;;) {
    try {
      yield* pollOnce(watch, { signal })
    } catch (error) {
      await backoff.waitAfterError(error)
      continue
    }
    await backoff.wait()
  }
}

/** Reads what is new up to the newest block. */
async function* pollOnce(
  watch: WatchSetup,
  { head: known, signal }: { head?: number | undefined; signal: AbortSignal },
): AsyncGenerator<NewRows, void, undefined> {
  const { overlapSeconds, source } = watch
  const request = { ...watch.request, signal }
  for (let isRepeated = false; ; isRepeated = true) {
    const server = source.open()
    const head = (isRepeated ? undefined : known) ?? (await server.readHead(request))
    const progress = (watch.progress ??= createProgress({ from: head, seen: [] }))
    // The next poll reads again what a response lacks, unless the watch is far behind.
    const isThorough = watch.isResumed || head - progress.from() > 2 * overlapSeconds
    if (head >= progress.from()) {
      yield* readNewRows({ ...watch, server, progress, head, isThorough }, request)
    }
    watch.isResumed = false
    // The head of the other server must be read first.
    if (!server.hasServerChanged()) return
  }
}
