import {
  RepositoryError,
  type Decision,
  type DecisionRecord,
  type StoredDecision,
} from '@tonplug/core'
import { isId } from './is-id.js'
import { toJson } from './json.js'
import type { Row } from './queryable.js'
import { optionalText, toReport } from './rows.js'
import {
  decideCredit,
  decideReport,
  decideWithoutTasks,
  findCreditDecision,
  findReport,
} from './sql/reports.js'
import type { Statement } from './sql/statement.js'

/** Runs one statement on a database or in a transaction. */
export type Run = (statement: Statement, values: (string | null)[]) => Promise<Row[]>

/**
 * Records the decision unless a final decision is stored.
 * @throws {RepositoryError} when there is no such report.
 */
export async function recordDecision(
  run: Run,
  reportId: string,
  record: DecisionRecord,
): Promise<StoredDecision> {
  if (!isId(reportId)) throw missing(reportId)
  const values = decisionValues(reportId, record)
  const credit = creditOf(record)
  if (credit !== undefined) return recordOfCredit(run, { reportId, record, credit })
  const hasTasks = record.event !== undefined || (record.tasks ?? []).length > 0
  const rows = hasTasks
    ? await run(decideReport, values)
    : await run(decideWithoutTasks, values.slice(0, 5))
  return rows.length > 0
    ? { isRecorded: true, decision: record.decision }
    : standingDecision(run, reportId)
}

/** Returns parameters 1 to 7 of the statements that record a decision. */
export function decisionValues(
  reportId: string,
  { decision, event, tasks = [], retryInMs }: DecisionRecord,
): (string | null)[] {
  return [
    reportId,
    retryInMs === undefined ? 'decided' : 'parked',
    toJson(decision),
    decision.kind,
    optionalText(retryInMs),
    event ?? null,
    toJson(tasks.map(({ handler, idempotencyKey }) => ({ handler, key: idempotencyKey }))),
  ]
}

function creditOf({ decision }: DecisionRecord): string | undefined {
  return 'credit' in decision ? decision.credit : undefined
}

/** Records a decision about a credit, unless it was decided for another report. */
async function recordOfCredit(
  run: Run,
  { reportId, record, credit }: { reportId: string; record: DecisionRecord; credit: string },
): Promise<StoredDecision> {
  const { decision } = record
  const rows = await run(decideCredit, decisionValues(reportId, record))
  if (rows.length > 0) return { isRecorded: true, decision }
  const [told] = await run(findCreditDecision, [reportId, credit])
  // The table has kinds of decisions only.
  const toldAs = told?.['kind'] as Decision['kind'] | undefined
  const [row] = await run(findReport, [reportId])
  if (row === undefined) throw missing(reportId)
  const { state, decision: standing } = toReport(row)
  if (state === 'decided' && standing !== undefined)
    return { isRecorded: false, decision: standing }
  if (toldAs === undefined) return recordOfCredit(run, { reportId, record, credit })
  return { isRecorded: false, decision, toldAs }
}

/** Returns the final decision that was not replaced. */
export async function standingDecision(run: Run, reportId: string): Promise<StoredDecision> {
  const [row] = await run(findReport, [reportId])
  const decision = row && toReport(row).decision
  if (decision === undefined) throw missing(reportId)
  return { isRecorded: false, decision }
}

function missing(reportId: string): RepositoryError {
  const problem = `the inbox has no report ${JSON.stringify(reportId)} with a decision`
  return new RepositoryError({ operation: 'inbox.reports.decide', problem })
}
