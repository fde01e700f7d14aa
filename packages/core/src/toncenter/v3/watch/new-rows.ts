import type { Endpoint } from '../../endpoint/endpoint.js'
import type { Page, PageSource } from '../../paging/page-source.js'
import type { WireParams } from '../../schema/params-object.js'
import type { RequestOptions } from '../../transport/call-options.js'
import type { Readiness, TimedList } from '../paging/row-list.js'
import type { ListPosition } from '../paging/segment.js'
import type { WatchProgress } from './progress.js'

export interface NewRow<Row> {
  row: Row
  id: string
  utime: number
  /** Everything earlier than this has been delivered once the row is. */
  deliveredTo: number
}

export interface Poll<E extends Endpoint, Row> {
  list: TimedList<E, Row>
  params: WireParams
  /** The pages, oldest first. */
  pages: PageSource<Row, ListPosition>
  /** Time of the newest masterchain block, Unix seconds. Later rows are not read. */
  head: number
  overlapSeconds: number
  /** `true` if the end must be confirmed, not assumed from a short page. */
  isThorough: boolean
  /** Returns true if a server other than that of `head` has responded. */
  hasServerChanged(): boolean
  onSkipped(id: string, utime: number): void
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
export async function* readNewRows<E extends Endpoint, Row>(
  poll: Poll<E, Row>,
  progress: WatchProgress,
  options: RequestOptions,
): AsyncGenerator<NewRow<Row>[], void, undefined> {
  const { pages, list, head, overlapSeconds, isThorough } = poll
  const settled = head - overlapSeconds
  let position: ListPosition | undefined
  let held = Infinity
  let read = progress.from
  let isRepeated = false
  let lacksKnown = false
  const advance = (utime: number): void => {
    progress.raise(Math.min(utime, settled, held))
    progress.prune()
  }
  for (;;) {
    const page = await pages(position, options)
    // The other server may have rows that this one lacks.
    if (poll.hasServerChanged()) return
    if (position === undefined && page.isLast && page.items.length === 0) {
      lacksKnown = progress.newest() >= progress.from
      // A single empty response could skip all rows since the last poll.
      isRepeated = isThorough && settled > progress.from && !isRepeated
      if (isRepeated) continue
    }
    const sorted = sortRows(poll, progress, { page, held, read })
    ;({ held, read } = sorted)
    const known = progress.newest()
    if (sorted.rows.length > 0) yield sorted.rows
    advance(read)
    const hasShownAll = page.isShort && sorted.rows.length === 0 && read >= known
    if (!isThorough && (page.isLast ? position !== undefined : hasShownAll)) return
    if (page.isLast) break
    position = page.after(page.items.length)
  }
  const isDoubtful = list.canTruncate === true || lacksKnown
  advance(isDoubtful ? head - DOUBTFUL_SECONDS : settled)
}

/** Selects the rows of a page to deliver. `held` is the earliest row to wait for, `read` the latest row. */
function sortRows<E extends Endpoint, Row>(
  poll: Poll<E, Row>,
  progress: WatchProgress,
  { page, held, read }: { page: Page<Row, ListPosition>; held: number; read: number },
) {
  const { list, params, head, overlapSeconds } = poll
  const { key, idOf } = list.utime
  const settled = head - overlapSeconds
  const rows: NewRow<Row>[] = []
  for (const row of page.items) {
    const id = idOf(row)
    // A row without a time has that of the row before it.
    const utime = Number(key.keyOf(row) ?? read)
    const readiness = list.readinessOf(row, params)
    const decision = decideRow(readiness, { age: head - utime, overlapSeconds })
    if (decision === 'hold') held = Math.min(held, utime)
    if (decision === 'skip' && !progress.has(id)) poll.onSkipped(id, utime)
    read = Math.max(read, utime)
    const deliveredTo = Math.min(read, settled, held)
    if (decision === 'deliver' && !progress.has(id)) rows.push({ row, id, utime, deliveredTo })
  }
  return { rows, held, read }
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
