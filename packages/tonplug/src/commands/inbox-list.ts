import type { InboxEntry, InboxEntryQuery } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { entryJson, isCommentEncrypted, isoTime } from '../entry-json.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'
import { table } from '../table.js'

/** Lists reports, newest first. */
export function inboxList(location: DatabaseLocation, query: InboxEntryQuery): Promise<Report> {
  return withInbox(location, async ({ reader }) => {
    const found = await reader.list({ ...query, limit: query.limit + 1 })
    const entries = found.slice(0, query.limit)
    const hasMore = found.length > entries.length
    return {
      isDone: entries.length > 0,
      json: { reports: entries.map(entryJson), hasMore },
      text: entries.length === 0 ? 'No report matches.' : toText(entries, hasMore),
    }
  })
}

function toText(entries: InboxEntry[], hasMore: boolean): string {
  const head = ['ID', 'RECEIVED', 'STATE', 'DECISION', 'REFERENCE', 'HANDLERS OR PROBLEM']
  const rows = entries.map(({ state, report, handlers }) => [
    report.id,
    isoTime(report.receivedAtMs),
    state,
    report.decision?.kind ?? '-',
    report.reference || '-',
    remarkOf(report) ?? (handlers.map((task) => `${task.handler} ${task.state}`).join(', ') || '-'),
  ])
  const more = hasMore ? `\nThere are more; increase --limit.` : ''
  return table(head, rows) + more
}

/** Returns what an operator must know about a report. */
function remarkOf(report: InboxEntry['report']): string | undefined {
  return report.problem ?? (isCommentEncrypted(report) ? 'the comment is encrypted' : undefined)
}
