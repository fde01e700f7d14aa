import { HistoryNotAvailableError } from '../errors/api.js'
import type { Page, PageSource } from '../paging/page-source.js'
import type { RequestOptions } from '../transport/options.js'
import type { HistoryPosition } from './account-history.js'

/** The pages of an account's history, from either kind of node. */
export interface HistorySources<Row> {
  /** From any node. */
  recent: PageSource<Row, HistoryPosition>
  /** From the nodes that keep all of it. */
  archival: PageSource<Row, HistoryPosition>
  /** Whether the walk begins with the newest transaction, so that there may be none at all. */
  isFromNewest: boolean
  /** Whether the account has no transaction. */
  isEmpty(options: RequestOptions): Promise<boolean>
}

/**
 * Asks any node first and, from the first page on that it does not have, archival nodes only: all further pages are
 * older still. An account that was never used is answered like missing history by some servers; its state tells.
 * Source: the v2 servers, getTransactions.
 */
export function withArchival<Row>(sources: HistorySources<Row>): PageSource<Row, HistoryPosition> {
  let source = sources.recent
  return async (position, options) => {
    try {
      return await source(position, options)
    } catch (error) {
      if (!(error instanceof HistoryNotAvailableError) || source === sources.archival) throw error
    }
    if (sources.isFromNewest && position === undefined && (await sources.isEmpty(options))) {
      return NO_PAGE
    }
    source = sources.archival
    return await source(position, options)
  }
}

const NO_PAGE: Page<never, never> = { items: [], isLast: true, after: () => undefined }
