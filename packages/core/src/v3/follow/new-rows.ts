import type { Endpoint } from '../../endpoint/endpoint.js'
import type { Page, PageSource } from '../../paging/page-source.js'
import type { WireParams } from '../../schema/check-params.js'
import type { RequestOptions } from '../../transport/options.js'
import type { ListPosition } from '../paging/leg.js'
import type { TimedList } from '../paging/timed-list.js'
import { fateOf } from './fate.js'
import type { Progress } from './progress.js'

/** A row that is to be delivered. */
export interface Entry<Row> {
  row: Row
  id: string
  utime: number
  /** Everything earlier than this was delivered once the row is. */
  safe: number
}

/** One reading of what is new. */
export interface Reading<E extends Endpoint, Row> {
  list: TimedList<E, Row>
  params: WireParams
  /** Its pages, the oldest first. */
  pages: PageSource<Row, ListPosition>
  /** Unix seconds: the time of the newest masterchain block, up to which is read. */
  head: number
  overlapSeconds: number
  /** Whether the end must be seen, not guessed from a page that is not full. */
  isThorough: boolean
  /** Whether another server than the one that knows `head` has answered. */
  hasMoved(): boolean
  /** Told of a row that is no longer waited for. */
  onGivenUp(id: string, utime: number): void
}

/** What is empty is believed after so long, where answers may break off without an error, or lack what was listed. */
const UNBELIEVED_SECONDS = 3600

/**
 * Reads what is new and answers what was not delivered yet. A page counts as delivered when the next one is asked for.
 *
 * How far the follow has come is said by rows only, as they come in their order, and by a page without rows: that is
 * the end. A page that is not full, and holds nothing but what is known, ends the reading as well, without saying that
 * there is no more; a thorough reading asks past it.
 */
export async function* readNewRows<E extends Endpoint, Row>(
  reading: Reading<E, Row>,
  progress: Progress,
  options: RequestOptions,
): AsyncGenerator<Entry<Row>[], void, undefined> {
  const { pages, list, head, overlapSeconds, isThorough } = reading
  const settled = head - overlapSeconds
  let position: ListPosition | undefined
  let held = Infinity
  let read = progress.from
  let isAskedAgain = false
  let lacksKnown = false
  for (;;) {
    const page = await pages(position, options)
    // What it lacks may be on the other server.
    if (reading.hasMoved()) return
    if (position === undefined && page.isLast && page.items.length === 0) {
      lacksKnown = progress.newest() >= progress.from
      // To believe it once would be to pass all that came meanwhile.
      const isRisky = isThorough && settled > progress.from
      if (isRisky && !isAskedAgain) {
        isAskedAgain = true
        continue
      }
    }
    const sorted = sortRows(reading, progress, { page, held, read })
    held = sorted.held
    read = sorted.read
    const known = progress.newest()
    if (sorted.entries.length > 0) yield sorted.entries
    progress.raise(Math.min(read, settled, held))
    progress.prune()
    if (page.isLast && (isThorough || position === undefined)) break
    if (page.isLast) return
    const hasShownAll = page.isShort && sorted.entries.length === 0 && read >= known
    if (hasShownAll && !isThorough) return
    position = page.after(page.items.length)
  }
  const isUnbelieved = list.canBreakOff === true || lacksKnown
  const believed = isUnbelieved ? head - UNBELIEVED_SECONDS : settled
  progress.raise(Math.min(believed, settled, held))
  progress.prune()
}

/** What of a page is delivered, and how far it goes. */
function sortRows<E extends Endpoint, Row>(
  reading: Reading<E, Row>,
  progress: Progress,
  { page, held, read }: { page: Page<Row, ListPosition>; held: number; read: number },
) {
  const { list, params, head, overlapSeconds } = reading
  const { axis, idOf } = list.utime
  const settled = head - overlapSeconds
  const entries: Entry<Row>[] = []
  for (const row of page.items) {
    const id = idOf(row)
    // One without a time stands where the row before it does.
    const utime = Number(axis.keyOf(row) ?? read)
    const fate = fateOf(list.readinessOf(row, params), { age: head - utime, overlapSeconds })
    if (fate === 'hold') held = Math.min(held, utime)
    if (fate === 'give up' && !progress.has(id)) reading.onGivenUp(id, utime)
    read = Math.max(read, utime)
    const safe = Math.min(read, settled, held)
    if (fate === 'deliver' && !progress.has(id)) entries.push({ row, id, utime, safe })
  }
  return { entries, held, read }
}
