import type { Endpoint } from '../../endpoint/endpoint.js'
import { NotFinalError, UnreadableRowError } from '../../errors/follow.js'
import type { Cursor } from '../../paging/cursor.js'
import { leavable } from '../../paging/leavable.js'
import { createPageSource, type LearnedPageSize } from '../../paging/page-source.js'
import { markOf } from '../../paging/params-mark.js'
import type { WireParams } from '../../schema/check-params.js'
import { timeParam, type TimeLike } from '../../schema/params.js'
import type { RequestOptions } from '../../transport/options.js'
import { blockchainData } from '../endpoints/blockchain-data.js'
import { keyLeg } from '../paging/key-leg.js'
import { listPaging } from '../paging/row-list.js'
import type { TimedList } from '../paging/timed-list.js'
import type { Follow, FollowOptions } from './follow.js'
import {
  checkFollowOptions,
  checkFollowParams,
  checkInteger,
  invalid,
  readFollowCursor,
} from './follow-options.js'
import type { FollowSource } from './follow-source.js'
import { readNewRows, type Entry, type Reading } from './new-rows.js'
import { onOneServer, type ServerCalls } from './one-server.js'
import { createPatience } from './patience.js'
import {
  createProgress,
  parseFollowPosition,
  type FollowPosition,
  type Progress,
} from './progress.js'
import { readAround, type BadRow } from './read-around.js'
import { shapeFacts } from './shape-facts.js'

/** Options of a follow of rows. */
export interface RowFollowOptions extends FollowOptions {
  /**
   * Where to begin when there is no cursor, rows of that second included. With it `cursor()` is known at once: store
   * that before the loop begins, so that a crash before the first row loses nothing.
   * @default from now on: the time of the newest masterchain block at the first poll
   */
  from?: TimeLike | undefined
  /**
   * How much later than the newest masterchain block of its time a row may become visible. So much is read again by
   * each poll. @default 60; 300 for messages, actions, traces and events
   */
  overlapSeconds?: number | undefined
}

/** A follow of rows. Rows of one poll come the oldest first; one that became visible late comes after newer ones. */
export interface RowFollow<Row> extends Follow<Row> {
  /** The same by pages, as they were answered. None of them is empty. */
  pages(): AsyncIterable<Row[]>
}

/**
 * Makes a follow of rows. The parameters may be left out when none of them is required.
 * @throws {ConfigurationError} at once for an option that does not exist.
 * @throws {InvalidParamsError} at once for a wrong parameter or option, a cursor that was made with other parameters, or
 *   a parameter that a follow cannot have.
 */
export type FollowRows<Params, Row> =
  Record<never, never> extends Params
    ? (params?: Params, options?: RowFollowOptions) => RowFollow<Row>
    : (params: Params, options?: RowFollowOptions) => RowFollow<Row>

/** A follow as the caller wants it, checked, and how far it has come. */
interface FollowWanted<E extends Endpoint, Row> {
  list: TimedList<E, Row>
  params: WireParams
  filter: string
  source: FollowSource
  learned: LearnedPageSize
  pollMs: number
  overlapSeconds: number
  pageSize: number
  /** How far it has come; absent before the first poll, unless it was told where to begin. */
  progress: Progress | undefined
  request: RequestOptions
  onError: FollowOptions['onError']
}

const NO_EXTERNALS =
  'messages from outside have no time to be followed by; follow the transactions of their receiver'
const OWN_CHOICE = 'a follow chooses its pages and their order itself'
const OWN_BOUNDS = 'a follow begins at its option from, and goes on with what is new'
const ONE_ROW = 'there would be nothing new to go on with; call the endpoint'

/** They would choose other rows than those that are new, or another order. */
const REFUSED: Readonly<Record<string, string>> = {
  limit: 'see the option pageSize',
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
 * Makes the follow of a list. Each poll asks for the newest masterchain block first, then reads everything up to its
 * time from where the follow is, oldest first, and leaves out what was delivered. Rows of other shards, of other
 * masterchain blocks or of a server behind may become visible later than newer ones, so the follow never goes on
 * further than `overlapSeconds` behind that block. When the index stands still, so does it.
 */
export function followRows<E extends Endpoint, Row>(
  list: TimedList<E, Row>,
  source: FollowSource,
  usualOverlapSeconds: number,
): FollowRows<WireParams, Row> {
  const learned: LearnedPageSize = { max: 1000 }
  const { name } = list.endpoint
  return (given = {}, options = {}) => {
    checkFollowOptions(options, ['from', 'overlapSeconds'])
    const params = checkFollowParams(list.endpoint, given, REFUSED)
    if (params['source'] === 'null')
      throw invalid(name, 'source', `cannot be 'null'; ${NO_EXTERNALS}`)
    const { cursor, from, pollMs = 5000, pageSize = 100, onError, ...rest } = options
    const { overlapSeconds = usualOverlapSeconds, ...request } = rest
    checkInteger(name, { name: 'pollMs', value: pollMs, least: 1, most: 86_400_000 })
    checkInteger(name, { name: 'pageSize', value: pageSize, least: 2, most: 1000 })
    checkInteger(name, { name: 'overlapSeconds', value: overlapSeconds, least: 0, most: 86_400 })
    const filter = markOf(params)
    return startFollow({
      list,
      params,
      filter,
      source,
      learned,
      pollMs,
      overlapSeconds,
      pageSize,
      onError,
      progress: readStart({ endpoint: name, filter }, from, cursor),
      request: { priority: 'low', ...request },
    })
  }
}

function startFollow<E extends Endpoint, Row>(follow: FollowWanted<E, Row>): RowFollow<Row> {
  const { signal: outer } = follow.request
  const deliver = ({ row, id, utime, safe }: Entry<Row>): Row => {
    follow.progress?.record(id, utime)
    follow.progress?.raise(safe)
    return row
  }

  async function* byItem(signal: AbortSignal): AsyncGenerator<Row, void, undefined> {
    for await (const entries of newRows(follow, signal)) {
      for (const entry of entries) {
        signal.throwIfAborted()
        yield deliver(entry)
      }
    }
  }

  async function* byPage(signal: AbortSignal): AsyncGenerator<Row[], void, undefined> {
    for await (const entries of newRows(follow, signal)) {
      signal.throwIfAborted()
      yield entries.map(deliver)
    }
  }

  return {
    [Symbol.asyncIterator]: () => leavable(byItem, outer),
    pages: () => leavable(byPage, outer),
    cursor: () => cursorAt(follow, follow.progress?.position() ?? null),
  }
}

function cursorAt<E extends Endpoint, Row>(
  { list, filter }: FollowWanted<E, Row>,
  position: FollowPosition | null,
): Cursor {
  return { endpoint: list.endpoint.name, position, filter, isDone: false }
}

/** Polls for ever, and waits out what may pass. */
async function* newRows<E extends Endpoint, Row>(
  follow: FollowWanted<E, Row>,
  signal: AbortSignal,
): AsyncGenerator<Entry<Row>[], void, undefined> {
  const { source, pollMs, onError } = follow
  const request = { ...follow.request, signal }
  const patience = createPatience({ clock: source.clock, pollMs, signal, onError })
  for (let isFirst = true; ; isFirst = false) {
    try {
      const calls = onOneServer(source.open())
      const { last } = await calls.call(blockchainData.masterchainInfo, {}, request)
      const head = last.gen_utime
      const progress = (follow.progress ??= createProgress({ from: head, seen: [] }))
      if (head >= progress.from) {
        yield* readNewRows(readingOf(follow, { calls, progress, head, isFirst }), progress, request)
      }
      // The other server's head comes first.
      if (calls.hasMoved()) continue
    } catch (error) {
      await patience.outwait(error)
      continue
    }
    await patience.rest()
  }
}

interface Poll {
  calls: ServerCalls
  progress: Progress
  head: number
  isFirst: boolean
}

/** What a poll reads: from where the follow is up to the newest masterchain block. */
function readingOf<E extends Endpoint, Row>(
  follow: FollowWanted<E, Row>,
  { calls, progress, head, isFirst }: Poll,
): Reading<E, Row> {
  const { list, params, learned, pageSize, overlapSeconds, onError } = follow
  const { endpoint } = list
  const bounds = { sort: 'asc', start_utime: progress.from, end_utime: head }
  // Whatever an answer hides is read again by the next poll, unless there is much to catch up with.
  const isThorough = isFirst || head - progress.from > 2 * overlapSeconds
  const leg = keyLeg({ ...list.utime, hasEnd: true, isEndUnproven: !isThorough })
  const strategy = listPaging<E, Row>({ ...list, legsOf: () => [leg] })
  const refuse = ({ error, id, utime }: BadRow): UnreadableRowError => {
    const isPlaced = id !== undefined && utime !== undefined
    const cursor = isPlaced ? cursorAt(follow, progress.positionWithout(id, utime)) : undefined
    return new UnreadableRowError({ ...shapeFacts(error), row: id, cursor, cause: error })
  }
  const isLeftOut = (id: string): boolean => progress.has(id)
  const pages = createPageSource(
    { strategy, params: { ...params, ...list.followParams, ...bounds }, pageSize, learned },
    async (page, options) => readAround({ list, calls, isLeftOut, refuse }, page, options),
  )
  return {
    list,
    params,
    pages,
    head,
    overlapSeconds,
    isThorough,
    hasMoved: () => calls.hasMoved(),
    onGivenUp(row, utime) {
      const facts = { endpoint: endpoint.name, attempts: 1, row, utime }
      onError?.(new NotFinalError({ ...facts, waitedSeconds: head - utime }))
    },
  }
}

function readStart(
  of: { endpoint: string; filter: string },
  from: TimeLike | undefined,
  cursor: unknown,
): Progress | undefined {
  const stored = readFollowCursor(of, cursor, parseFollowPosition)
  if (stored !== undefined) return createProgress(stored)
  if (from === undefined) return undefined
  const time = timeParam.read(from, () => undefined)
  if (time === undefined) throw invalid(of.endpoint, 'from', `must be ${timeParam.expected}`)
  return createProgress({ from: time, seen: [] })
}
