import { z } from 'zod'
import type { Inbox, OperatorAction } from '../inbox/inbox.js'
import { attempt } from '../orders/checked-repository.js'
import { parseOptions, type OptionSchemas } from '../shared/options.js'
import { operatorNote, type OperatorNote } from './report.js'

/** The inbox of one Payments. */
interface ActionOptions {
  inbox: Inbox
  name: string
}

/** The handlers to run again. */
interface RetryQuery {
  reportId: string
  handler?: string | undefined
}

const NOTE = z.strictObject(operatorNote)
const QUERY = z.strictObject({
  reportId: z.string().min(1),
  handler: z.string().optional(),
} satisfies OptionSchemas<RetryQuery>)

/**
 * Stores what an operator does about a report. Without `by` there is nothing to store. Reports of another Payments are not
 * touched.
 * @throws {ConfigurationError} for an invalid note.
 */
export async function recordAction(
  { inbox, name }: ActionOptions,
  { reportId, action }: Pick<OperatorAction, 'reportId' | 'action'>,
  given: OperatorNote,
): Promise<void> {
  const { by, note = '' } = parseOptions(NOTE, given, { path: 'note' })
  if (by === undefined) return
  const report = await attempt('inbox.find', () => inbox.find(reportId))
  if (report?.name !== name) return
  await attempt('inbox.recordAction', () => inbox.recordAction({ reportId, action, by, note }))
}

/** Resets the dead tasks of a report. @returns how many. */
export async function retryHandlers(
  options: ActionOptions,
  given: RetryQuery,
  note: OperatorNote,
): Promise<number> {
  const { inbox, name } = options
  const { reportId, handler } = parseOptions(QUERY, given, { path: 'retry' })
  const report = await attempt('inbox.find', () => inbox.find(reportId))
  if (report?.name !== name) return 0
  const tasks = await attempt('inbox.listTasks', () => inbox.listTasks({ reportIds: [reportId] }))
  const dead = tasks.filter(
    (task) => task.state === 'dead' && (handler ?? task.handler) === task.handler,
  )
  if (dead.length === 0) return 0
  await recordAction(options, { reportId, action: 'retry' }, note)
  const reset = await Promise.all(
    dead.map(({ id }) => attempt('inbox.replay', () => inbox.replay(id))),
  )
  return reset.filter(Boolean).length
}
