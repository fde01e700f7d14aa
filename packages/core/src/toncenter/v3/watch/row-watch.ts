import type { Endpoint } from '../../endpoint/endpoint.js'
import { ConfigurationError } from '../../../shared/configuration-error.js'
import { cancelableLoop } from '../../paging/cancelable-loop.js'
import { digestOf, invalidOption, readCursor, type Cursor } from '../../paging/cursor.js'
import { createPageSource, type LearnedPageSize } from '../../paging/page-source.js'
import type { WireParams } from '../../schema/params-object.js'
import { checkOptions, objectParam, type OptionShape } from '../../schema/options.js'
import { optionalParam } from '../../schema/param.js'
import { intParam, timeParam, type TimeLike } from '../../schema/params.js'
import type { RequestOptions } from '../../transport/call-options.js'
import { blockchainData } from '../endpoints/blockchain-data.js'
import { keysetSegment } from '../paging/keyset-segment.js'
import { listPaging, type TimedList } from '../paging/row-list.js'
import { trackServer } from '../track-server.js'
import { NotFinalError, UnreadableRowError } from './errors.js'
import { readNewRows, type NewRow, type Poll } from './new-rows.js'
import { createPollBackoff } from './poll-backoff.js'
import {
  createProgress,
  parseWatchPosition,
  type WatchPosition,
  type WatchProgress,
} from './progress.js'
import { readPage, type UnreadableRow } from './skip-unreadable.js'
import {
  checkWatchParams,
  watchOptions,
  type PollCalls,
  type Watch,
  type WatchOptions,
  type WatchSource,
} from './watch.js'
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

interface WatchSetup<E extends Endpoint, Row> {
  list: TimedList<E, Row>
  params: WireParams
  filter: string
  source: WatchSource
  learned: LearnedPageSize
  pollMs: number
  overlapSeconds: number
  pageSize: number
  /** Absent before the first poll, unless the caller chose the start. */
  progress: WatchProgress | undefined
  request: RequestOptions
  onError: WatchOptions['onError']
  stream: EventSource | undefined
  /** The accounts that the stream reports. */
  addresses: readonly string[]
}

const EVENTS = { types: ['transactions', 'jettons_change'], minFinality: 'finalized' } as const

const NO_EXTERNALS =
  'external messages have no time; watch the transactions of their receiver instead'
const OWN_CHOICE = 'a watch chooses its pages and their order'
const OWN_BOUNDS = 'a watch starts at its option from and continues with new rows'
const ONE_ROW = 'there would be no new rows; call the endpoint'

/** Parameters that would select rows other than new ones, or another order. */
const REFUSED: Readonly<Record<string, string>> = {
  limit: 'use the option pageSize',
  offset: OWN_CHOICE,
  sort: OWN_CHOICE,
  start_lt: OWN_BOUNDS,
  end_lt: OWN_BOUNDS,
  start_utime: OWN_BOUNDS,
  end_utime: OWN_BOUNDS,
  mc_seqno: ONE_ROW,
  seqno: ONE_ROW,
  hash: ONE_ROW,
  lt: ONE_ROW,
  action_id: ONE_ROW,
  trace_id: ONE_ROW,
  only_externals: NO_EXTERNALS,
}

/**
 * Creates the watch of a list. Each poll requests the newest masterchain block first, reads all rows up to its time from
 * the current position, oldest first, and leaves out delivered rows. Rows of other shards, of other masterchain blocks or
 * of a server behind may become visible after newer ones, so the position stays at least `overlapSeconds` behind that
 * block. It also stays if the index stops.
 */
export function createRowWatch<E extends Endpoint, Row>(
  list: TimedList<E, Row>,
  source: WatchSource,
  defaultOverlapSeconds: number,
): WatchRows<WireParams, Row> {
  const learned: LearnedPageSize = { max: 1000 }
  const { name } = list.endpoint
  return (given = {}, options = {}) => {
    checkOptions(rowWatchOptions, options)
    const params = checkWatchParams(list.endpoint, given, REFUSED)
    if (params['source'] === 'null') {
      throw invalidOption(name, 'source', `cannot be 'null'; ${NO_EXTERNALS}`)
    }
    const { cursor, from, pollMs = 5000, pageSize = 100, onError, ...rest } = options
    const { overlapSeconds = defaultOverlapSeconds, stream, ...request } = rest
    const addresses = accountsOf(params)
    if (stream !== undefined && addresses.length === 0) {
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
      addresses,
      progress: readStart({ endpoint: name, filter }, from, cursor),
      request: { priority: 'low', ...request },
    })
  }
}

/** Returns the accounts whose transactions may add rows. */
function accountsOf(params: WireParams): string[] {
  const names = ['account', 'owner_address', 'address', 'jetton_wallet']
  return names.flatMap((name) => {
    const value = params[name]
    const list: unknown[] = Array.isArray(value) ? value : [value]
    return list.filter((one) => typeof one === 'string')
  })
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

function startWatch<E extends Endpoint, Row>(watch: WatchSetup<E, Row>): RowWatch<Row> {
  const { signal: outer } = watch.request
  const deliver = ({ row, id, utime, deliveredTo }: NewRow<Row>): Row => {
    watch.progress?.record(id, utime)
    watch.progress?.raise(deliveredTo)
    return row
  }

  async function* byItem(signal: AbortSignal): AsyncGenerator<Row, void, undefined> {
    for await (const rows of pollRows(watch, signal)) {
      for (const row of rows) {
        signal.throwIfAborted()
        yield deliver(row)
      }
    }
  }

  async function* byPage(signal: AbortSignal): AsyncGenerator<Row[], void, undefined> {
    for await (const rows of pollRows(watch, signal)) {
      signal.throwIfAborted()
      yield rows.map(deliver)
    }
  }

  return {
    [Symbol.asyncIterator]: () => cancelableLoop(byItem, outer),
    pages: () => cancelableLoop(byPage, outer),
    cursor: () => cursorAt(watch, watch.progress?.position() ?? null),
  }
}

function cursorAt<E extends Endpoint, Row>(
  { list, filter }: WatchSetup<E, Row>,
  position: WatchPosition | null,
): Cursor {
  return { endpoint: list.endpoint.name, position, filter, isDone: false }
}

/** Polls indefinitely, and waits after transient errors. */
async function* pollRows<E extends Endpoint, Row>(
  watch: WatchSetup<E, Row>,
  signal: AbortSignal,
): AsyncGenerator<NewRow<Row>[], void, undefined> {
  const { source, pollMs, onError, stream, addresses } = watch
  const request = { ...watch.request, signal }
  const { clock } = source
  const waker = stream && createWaker(clock, signal, { ...EVENTS, stream, addresses })
  const backoff = createPollBackoff({ clock, pollMs, signal, onError, waker })
  for (let isFirst = true; ; isFirst = false) {
    try {
      const { call: anyServer, readRaw } = source.open()
      const { call, hasChanged } = trackServer(anyServer)
      const { last } = await call(blockchainData.masterchainInfo, {}, request)
      const head = last.gen_utime
      const progress = (watch.progress ??= createProgress({ from: head, seen: [] }))
      if (head >= progress.from) {
        const scope = { calls: { call, readRaw }, progress, head, isFirst }
        const poll = { ...pollOf(watch, scope), hasServerChanged: hasChanged }
        yield* readNewRows(poll, progress, request)
      }
      // The head of the other server must be read first.
      if (hasChanged()) continue
    } catch (error) {
      await backoff.waitAfterError(error)
      continue
    }
    await backoff.wait()
  }
}

interface PollScope {
  calls: PollCalls
  progress: WatchProgress
  head: number
  isFirst: boolean
}

/** Creates a poll from the current position up to the newest masterchain block. */
function pollOf<E extends Endpoint, Row>(
  watch: WatchSetup<E, Row>,
  { calls, progress, head, isFirst }: PollScope,
): Omit<Poll<E, Row>, 'hasServerChanged'> {
  const { list, params, learned, pageSize, overlapSeconds, onError } = watch
  const bounds = { sort: 'asc', start_utime: progress.from, end_utime: head }
  // The next poll reads again what a response lacks, unless the watch is far behind.
  const isThorough = isFirst || head - progress.from > 2 * overlapSeconds
  const segment = keysetSegment({ ...list.utime, hasEnd: true, isEndUnproven: !isThorough })
  const strategy = listPaging<E, Row>({ ...list, segments: () => [segment] })
  const refuse = ({ error, id, utime }: UnreadableRow): UnreadableRowError => {
    const isPlaced = id !== undefined && utime !== undefined
    const cursor = isPlaced ? cursorAt(watch, progress.positionWithout(id, utime)) : undefined
    return new UnreadableRowError(error, { row: id, cursor })
  }
  const isSkipped = (id: string): boolean => progress.has(id)
  const pages = createPageSource(
    { strategy, params: { ...params, ...list.watchParams, ...bounds }, pageSize, learned },
    async (page, options) => readPage({ list, calls, isSkipped, refuse }, page, options),
  )
  return {
    list,
    params,
    pages,
    head,
    overlapSeconds,
    isThorough,
    onSkipped(row, utime) {
      const facts = { endpoint: list.endpoint.name, attempts: 1, row, utime }
      onError?.(new NotFinalError({ ...facts, waitedSeconds: head - utime }))
    },
  }
}
