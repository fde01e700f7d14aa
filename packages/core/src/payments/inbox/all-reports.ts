import type { InboxReports, Report, ReportQuery } from './inbox-reports.js'

const PAGE = 1000

/**
 * Returns every report that matches, newest first: for queries that select few, such as the reports of a transaction. A batch
 * pays hundreds of orders by one.
 */
export async function allReports(
  { list }: Pick<InboxReports, 'list'>,
  query: Omit<ReportQuery, 'before' | 'limit'>,
): Promise<Report[]> {
  const found: Report[] = []
  for (;;) {
    const page = await list({ ...query, before: found.at(-1)?.id, limit: PAGE })
    found.push(...page)
    if (page.length < PAGE) return found
  }
}
