import type { Operator, OperatorNote, ReprocessFilter } from '@tonplug/core/operator'
import type { InboxEntry, InboxReader } from '@tonplug/postgres'
import { confirm } from '../confirm.js'
import type { DatabaseLocation } from '../database-location.js'
import { printLine } from '../escape-hidden.js'
import { explainSkipped } from '../explain-skipped.js'
import { CommandError } from '../failure.js'
import { withOperator } from '../open-operator.js'
import type { Report } from '../report.js'
import { countOf, table } from '../table.js'

/** The reports to decide again: those with these ids, or all that match. */
interface Selection {
  ids: readonly string[]
  filter: ReprocessFilter
  name?: string | undefined
}

const SHOWN = 20

/** Applies the rules again to stored reports, except those decided as `paid`. The servers decide them within seconds. */
export function inboxReprocess(
  location: DatabaseLocation,
  selection: Selection,
  { note, isAgreed }: { note: OperatorNote; isAgreed: boolean },
): Promise<Report> {
  const { ids, name } = selection
  return withOperator(location, { name }, async (operator, open) => {
    const { skipped, lines } = await explainSkipped(open.reader, ids, whyNot)
    if (!isAgreed) await ask(selection, open.reader)
    const reprocessed = await reprocess(operator, selection, note)
    const text =
      reprocessed === 0
        ? 'No report can be decided again.'
        : `${countOf(reprocessed, 'report')} will be decided again by your servers within seconds.`
    const json = { reprocessed, notReprocessed: skipped }
    return { isDone: reprocessed > 0, json, text: [text, ...lines].join('\n') }
  })
}

async function reprocess(
  operator: Operator,
  { ids, filter }: Selection,
  note: OperatorNote,
): Promise<number> {
  if (ids.length === 0) return operator.reprocess(filter, note)
  let count = 0
  for (const reportId of ids) count += await operator.reprocess({ ...filter, reportId }, note)
  return count
}

/** @throws {CommandError} when the user does not confirm. */
async function ask({ ids, filter }: Selection, reader: InboxReader): Promise<void> {
  const entries = await Promise.all(ids.slice(0, SHOWN).map((id) => reader.find(id)))
  const found = entries.filter((entry) => entry !== null)
  if (found.length > 0) printLine(describe(found), process.stderr)
  const facts = Object.entries(filter).filter(([, value]) => value !== undefined)
  const what = facts.map(([name, value]) => `${name} ${String(value)}`).join(', ')
  const reports = ids.length === 0 ? 'the matching reports' : countOf(ids.length, 'report')
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
