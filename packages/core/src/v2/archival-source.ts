import { HistoryNotAvailableError } from '../errors/api.js'
import type { PageSource } from '../paging/page-source.js'
import type { HistoryPosition } from './account-history.js'

/** The pages of an account's history, from either kind of node. */
export interface HistorySources<Row> {
  /** From any node. */
  recent: PageSource<Row, HistoryPosition>
  /** From the nodes that keep all of it. */
  archival: PageSource<Row, HistoryPosition>
}

/**
 * Asks any node first and, from the first page on that it does not have, archival nodes only: all further pages are
 * older still. Source: the v2 servers, getTransactions.
 */
export function withArchival<Row>(sources: HistorySources<Row>): PageSource<Row, HistoryPosition> {
  let source = sources.recent
  return async (position, options) => {
    try {
      return await source(position, options)
    } catch (error) {
      if (!(error instanceof HistoryNotAvailableError) || source === sources.archival) throw error
    }
    source = sources.archival
    return await source(position, options)
  }
}
