import type { Inbox } from '@tonplug/core'
import { postgresInbox, type InboxEntry, type InboxReader } from '@tonplug/postgres'
import { confirm } from '../confirm.js'
import type { DatabaseLocation } from '../database-location.js'
import { CommandError } from '../failure.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'
import { table } from '../table.js'

type ReportFilter = Parameters<Inbox['redecide']>[0]

const SHOWN = 20

/** Applies the rules again to stored reports, except those decided as `paid`. The servers decide them within seconds. */
export function inboxRedecide(
  location: DatabaseLocation,
  filter: ReportFilter,
  { isAgreed }: { isAgreed: boolean },
): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    const notRedecided = await explainOthers(reader, filter.ids ?? [])
    const reasons = notRedecided.map(({ reportId, reason }) => `Report ${reportId}: ${reason}`)
    if (!isAgreed) await ask(filter, reader)
    const redecided = await postgresInbox(db).redecide(filter)
    const text =
      redecided === 0
        ? 'No report can be decided again.'
        : `${count(redecided)} will be decided again by your servers within seconds.`
    return {
      isDone: redecided > 0,
      json: { redecided, notRedecided },
      text: [text, ...reasons].join('\n'),
    }
  })
}

/** @throws {CommandError} when the user does not confirm. */
async function ask(filter: ReportFilter, reader: InboxReader): Promise<void> {
  const shown = (filter.ids ?? []).slice(0, SHOWN)
  const entries = await Promise.all(shown.map((id) => reader.find(id)))
  const found = entries.filter((entry) => entry !== null)
  if (found.length > 0) process.stderr.write(`${describe(found)}\n`)
  const { ids: _ids, ...fields } = filter
  const facts = Object.entries(fields).filter(([, value]) => value !== undefined)
  const what = facts.map(([name, value]) => `${name} ${String(value)}`).join(', ')
  const question = `Decide ${ids(filter)} again${what === '' ? '' : ` (${what})`}?`
  const terminal = { input: process.stdin, output: process.stderr }
  if (!(await confirm(question, terminal))) throw new CommandError('nothing is decided again')
}

function ids({ ids: given }: ReportFilter): string {
  return given === undefined ? 'the matching reports' : count(given.length)
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

/** Explains why named reports are not decided again. */
async function explainOthers(
  reader: InboxReader,
  named: readonly string[],
): Promise<{ reportId: string; reason: string }[]> {
  const reasons = await Promise.all(
    [...new Set(named)].map(async (reportId) => ({
      reportId,
      reason: whyNot(await reader.find(reportId)),
    })),
  )
  return reasons.flatMap(({ reportId, reason }) =>
    reason === undefined ? [] : [{ reportId, reason }],
  )
}

function whyNot(entry: InboxEntry | null): string | undefined {
  if (entry === null) return 'not found; see `tonplug inbox list`.'
  const { state, decision } = entry.report
  if (decision?.kind === 'paid') return 'it paid its order, which is final.'
  if (state === 'undecided') return 'the rules have not finished; a server decides it.'
  return undefined
}

function count(reports: number): string {
  return reports === 1 ? '1 report' : `${reports} reports`
}
