import { createPageSource, type PageSource } from '../paging/pages.js'
import type { RequestOptions } from '../transport/call-options.js'
import { keysetSegment } from '../paging/keyset-segment.js'
import { listSizes, readListPage, type Readiness } from '../paging/row-list.js'
import type { ListPosition } from '../paging/segment.js'
import { NotFinalError } from './errors.js'
import type { Poll } from './poll.js'
import { readRows } from './read-rows.js'

export interface NewRow {
  row: unknown
  id: string
  utime: number
  /** Everything earlier than this has been delivered once the row is. */
  deliveredTo: number
}

/** The rows of a page to deliver. */
export interface NewRows {
  items: NewRow[]
  /** The time of the earliest row to wait for. */
  held: number
  /** The time of the latest row. */
  read: number
}

/** Treatment of a row: deliver it, read it again by a later poll, wait for it, or continue without it. */
type RowDecision = 'deliver' | 'reread' | 'hold' | 'skip'

/** Minimum wait for a row in a block that is not final, seconds of the chain. */
const CONFIRMED_SECONDS = 60
/** Minimum wait for a pending row, seconds of the chain. The chain processes valid messages within a minute. */
const PENDING_SECONDS = 600
/** An empty response counts as complete after this time if responses may be truncated or lack listed rows. */
const DOUBTFUL_SECONDS = 3600

/**
 * Reads new rows and yields those that were not delivered yet. A page counts as delivered when the next one is requested.
 *
 * Progress is made by rows, which are in order, and by a page without rows, which is the end. A short page of known rows
 * also ends the poll, but does not prove that nothing follows; a thorough poll continues after it.
 */
export async function* readNewRows(
  poll: Poll,
  options: RequestOptions,
): AsyncGenerator<NewRows, void, undefined> {
  const { progress, list, head, overlapSeconds, isThorough } = poll
  const pages = pagesOf(poll)
  const settled = head - overlapSeconds
  let position: ListPosition | undefined
  let held = Infinity
  let read = progress.from()
  let isRepeated = false
  let lacksKnown = false
  const advance = (utime: number): void => {
    progress.raise(Math.min(utime, settled, held))
    progress.prune()
  }
  for (;;) {
    const page = await pages(position, options)
    // The other server may have rows that this one lacks.
    if (poll.server.hasServerChanged()) return
    if (position === undefined && page.isLast && page.items.length === 0) {
      lacksKnown = progress.newest() >= progress.from()
      // A single empty response could skip all rows since the last poll.
      isRepeated = isThorough && settled > progress.from() && !isRepeated
      if (isRepeated) continue
    }
    const sorted = sortRows(poll, page.items, { held, read })
    ;({ held, read } = sorted)
    const known = progress.newest()
    const hasNone = sorted.items.length === 0
    if (!hasNone) yield sorted
    advance(read)
    const hasShownAll = page.isShort === true && hasNone && read >= known
    if (!isThorough && (page.isLast ? position !== undefined : hasShownAll)) return
    if (page.isLast) break
    position = page.after(page.items.length)
  }
  const isDoubtful = list.canTruncate === true || lacksKnown
  advance(isDoubtful ? head - DOUBTFUL_SECONDS : settled)
}

/** Creates the source of the pages of a poll, oldest first. */
function pagesOf(poll: Poll): PageSource<unknown, ListPosition> {
  const { list, params, progress, head, isThorough } = poll
  const { name: endpoint } = list.endpoint
  const bounds = { sort: 'asc', start_utime: progress.from(), end_utime: head }
  const segment = keysetSegment({ ...list.utime, hasEnd: true, isEndUnproven: !isThorough })
  const polled = { ...list, segments: () => [segment] }
  return createPageSource({ ...poll, endpoint, sizes: listSizes }, async (query, options) => {
    const selected = { ...query, params: { ...params, ...list.watchParams, ...bounds } }
    return readListPage(polled, selected, async (page) => readRows(poll, page, options))
  })
}

/** Selects the rows of a page to deliver. */
function sortRows(
  poll: Poll,
  rows: readonly unknown[],
  { held, read }: Pick<NewRows, 'held' | 'read'>,
): NewRows {
  const { list, params, progress, head, overlapSeconds } = poll
  const { key, idOf } = list.utime
  const items: NewRow[] = []
  for (const row of rows) {
    const id = idOf(row)
    // A row without a time has that of the row before it.
    const utime = Number(key.keyOf(row) ?? read)
    const age = head - utime
    const decision = decideRow(list.readinessOf(row, params), { age, overlapSeconds })
    if (decision === 'hold') held = Math.min(held, utime)
    read = Math.max(read, utime)
    if (progress.has(id)) continue
    if (decision === 'skip') {
      const facts = { endpoint: list.endpoint.name, attempts: 1, row: id, utime }
      poll.onError?.(new NotFinalError({ ...facts, waitedSeconds: age }))
    }
    const deliveredTo = Math.min(read, head - overlapSeconds, held)
    if (decision === 'deliver') items.push({ row, id, utime, deliveredTo })
  }
  return { items, held, read }
}

function decideRow(
  readiness: Readiness,
  { age, overlapSeconds }: { age: number; overlapSeconds: number },
): RowDecision {
  switch (readiness) {
    case 'ready':
      return 'deliver'
    case 'confirmed':
      // It has been listed since then, so its block is permanent.
      return age > Math.max(overlapSeconds, CONFIRMED_SECONDS) ? 'deliver' : 'hold'
    case 'pending':
      return age > Math.max(overlapSeconds, PENDING_SECONDS) ? 'skip' : 'hold'
    case 'growing':
      return 'reread'
    case 'incomplete':
      // After the overlap it is not read again.
      return age > overlapSeconds ? 'deliver' : 'reread'
  }
}
