import { z } from 'zod'
import type { Report, ReportFilter } from '../inbox/inbox-reports.js'
import { DECISION_KINDS } from '../engine/decision-table.js'
import type { Order } from '../orders/order.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import type { OperatorContext } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { recordActions } from './record-actions.js'

/** Selects reports to decide again; at least one field is required. */
export interface ReprocessFilter extends Omit<ReportFilter, 'name' | 'ids'> {
  reportId?: string | undefined
}

const NOTE = lazy(() => z.strictObject(operatorNote()))
const FILTER = lazy(() =>
  z
    .strictObject({
      reportId: z.string().min(1).optional(),
      merchant: z.string().optional(),
      reference: z.string().optional(),
      state: z.enum(['parked', 'decided', 'unreadable']).optional(),
      decision: z.enum(DECISION_KINDS).optional(),
      receivedAfterMs: z.number().optional(),
    } satisfies OptionSchemas<ReprocessFilter>)
    .refine((filter) => Object.keys(filter).length > 0, {
      error:
        'is empty; expected at least one of reportId, merchant, reference, state, decision, receivedAfterMs',
    }),
)

/** Reports that are recorded and decided again at a time. */
const PAGE = 100

/** See `Operator.reprocess`. */
export async function reprocess<O extends Order>(
  context: OperatorContext<O>,
  given: ReprocessFilter,
  note: OperatorNote,
): Promise<number> {
  const { reportId, ...filter } = parseOptions(FILTER(), given, { path: 'filter' })
  const who = parseOptions(NOTE(), note, { path: 'note' })
  const { inbox, name, engine } = context
  const query = { ...filter, name, ids: reportId === undefined ? undefined : [reportId] }
  let count = 0
  let before: string | undefined
  do {
    const page = await inbox.reports.list({ ...query, before, limit: PAGE })
    const reportIds = page.filter(isChangeable).map(({ id }) => id)
    await recordActions(context, { reportIds, action: 'reprocess' }, who)
    if (reportIds.length > 0) count += await inbox.reports.redecide({ ...query, ids: reportIds })
    before = page.length < PAGE ? undefined : page.at(-1)?.id
  } while (before !== undefined)
  if (count > 0) engine.wakeReports()
  return count
}

function isChangeable({ state, decision }: Report): boolean {
  if (state === 'unreadable') return true
  return decision !== undefined && decision.kind !== 'paid' && decision.kind !== 'refund'
}
