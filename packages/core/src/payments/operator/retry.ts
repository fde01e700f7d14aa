import { z } from 'zod'
import type { Order } from '../orders/order.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import type { OperatorContext } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { recordActions } from './record-actions.js'

/** Handlers to run again. */
export interface RetryFilter {
  reportId: string
  /** The registered name, for example `onPaid.ship`. @default every dead or relayed one */
  handler?: string | undefined
}

const RETRY = lazy(() =>
  z.strictObject({
    reportId: z.string().min(1),
    handler: z.string().optional(),
    ...operatorNote(),
  } satisfies OptionSchemas<RetryFilter & OperatorNote>),
)

/** See `Operator.retry`. */
export async function retry<O extends Order>(
  context: OperatorContext<O>,
  filter: RetryFilter,
  note: OperatorNote,
): Promise<number> {
  const { inbox, name, engine } = context
  const given = parseOptions(RETRY(), { ...filter, ...note }, { path: 'retry' })
  const { reportId, handler } = given
  const report = await inbox.reports.find(reportId)
  if (report?.name !== name) return 0
  const tasks = await inbox.tasks.list({ reportIds: [reportId] })
  const unfinished = tasks.filter(
    (task) =>
      (task.state === 'dead' || task.state === 'relayed') &&
      (handler ?? task.handler) === task.handler,
  )
  if (unfinished.length === 0) return 0
  await recordActions(context, { reportIds: [reportId], action: 'retry' }, given)
  const reset = await Promise.all(unfinished.map(({ id }) => inbox.tasks.replay(id)))
  const count = reset.filter(Boolean).length
  if (count > 0) engine.wakeTasks()
  return count
}
