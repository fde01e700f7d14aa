import type { Inbox } from '@tonplug/core'
import { postgresInbox, type InboxEntry, type InboxReader } from '@tonplug/postgres'
import { printLine } from '../escape-hidden.js'
import { confirm } from '../confirm.js'
import type { DatabaseLocation } from '../database-location.js'
import { explainSkipped } from '../explain-skipped.js'
import { CommandError } from '../failure.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'
import { countOf, table } from '../table.js'

type ReportFilter = Parameters<Inbox['redecide']>[0]

const SHOWN = 20

/** Applies the rules again to stored reports, except those decided as `paid`. The servers decide them within seconds. */
export function inboxRedecide(
  location: DatabaseLocation,
  filter: ReportFilter,
  { isAgreed }: { isAgreed: boolean },
): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    const { skipped, lines } = await explainSkipped(reader, filter.ids ?? [], whyNot)
    if (!isAgreed) await ask(filter, reader)
    const redecided = await postgresInbox(db).redecide(filter)
    const text =
      redecided === 0
        ? 'No report can be decided again.'
        : `${countOf(redecided, 'report')} will be decided again by your servers within seconds.`
    const json = { redecided, notRedecided: skipped }
    return { isDone: redecided > 0, json, text: [text, ...lines].join('\n') }
  })
}

/** @throws {CommandError} when the user does not confirm. */
async function ask(filter: ReportFilter, reader: InboxReader): Promise<void> {
  const { ids, ...fields } = filter
  const shown = (ids ?? []).slice(0, SHOWN)
  const entries = await Promise.all(shown.map((id) => reader.find(id)))
  const found = entries.filter((entry) => entry !== null)
  if (found.length > 0) printLine(describe(found), process.stderr)
  const facts = Object.entries(fields).filter(([, value]) => value !== undefined)
  const what = facts.map(([name, value]) => `${name} ${String(value)}`).join(', ')
  const reports = ids === undefined ? 'the matching reports' : countOf(ids.length, 'report')
  const question = `Decide ${reports} again${what === '' ? '' : ` (${what})`}?`
  if (!(await confirm(question))) throw new CommandError('nothing is decided again')
}

function describe(entries: InboxEntry[]): string {
  const rows = entries.map(({ report, state }) => [
    report.id,
    state,
    report.decision?.kind ?? '-',
    report.reference || '-',
  ])
  return table(['REPORT', 'STATE', 'DECISION', 'REFERENCE'], rows)
}

function whyNot({ report: { state, decision } }: InboxEntry): string | undefined {
  if (decision?.kind === 'paid') return 'it paid its order, which is final.'
  if (state === 'undecided') return 'the rules have not finished; a server decides it.'
  return undefined
}
