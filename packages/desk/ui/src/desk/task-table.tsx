import type { Session, StoryHandler, StoryReport } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'
import type { Tone } from '../text/decisions.js'
import { ActionDialog } from './action-dialog.js'
import { act } from './api-client.js'
import type { OutcomeText } from './outcome.js'

const STATES: Record<StoryHandler['state'], [name: string, tone: Tone]> = {
  open: ['waiting', 'wait'],
  relayed: ['in the queue', 'wait'],
  done: ['done', 'good'],
  dead: ['failed', 'bad'],
}

/** A task of a report. */
interface TaskRow extends StoryHandler {
  reportId: string
}

const COLUMNS: readonly Column<TaskRow>[] = [
  { name: 'Task', cell: ({ handler }) => handler },
  {
    name: 'State',
    cell: ({ state, isRunning }) => {
      const [name, tone] = STATES[state]
      return <Badge tone={tone}>{isRunning ? 'running' : name}</Badge>
    },
  },
  { name: 'Attempts', cell: ({ attempts }) => attempts },
]
const NEXT_RUN: Column<TaskRow> = {
  name: 'Next run',
  cell: ({ state, dueAtMs }) => (state === 'open' ? <Timestamp atMs={dueAtMs} /> : '–'),
}
const ERROR: Column<TaskRow> = { name: 'Error', cell: ({ error }) => error ?? '–' }

/** The tasks of the shop, with their attempts and errors. A task in a queue is handed over again, in case it was lost. */
export function TaskTable({
  reports,
  session,
  onDone,
}: {
  reports: readonly StoryReport[]
  session: Session
  onDone: (outcome: OutcomeText) => void
}) {
  const rows = reports.flatMap(({ reportId, handlers }) =>
    handlers.map((task): TaskRow => ({ ...task, reportId })),
  )
  if (rows.length === 0) return null
  const retry: Column<TaskRow> = {
    name: 'Action',
    cell: ({ reportId, handler, state }) =>
      state === 'dead' || state === 'relayed' ? (
        <ActionDialog
          label="Run again"
          session={session}
          onSubmit={({ reason }) => act('retry', { reportId, handler, reason }, session)}
          onDone={onDone}
        />
      ) : (
        '–'
      ),
  }
  const isOpen = rows.some(({ state }) => state === 'open')
  const hasError = rows.some(({ error }) => error !== undefined)
  const canRetry =
    session.actions.includes('retry') &&
    rows.some(({ state }) => state === 'dead' || state === 'relayed')
  return (
    <section class="card" aria-labelledby="tasks-title">
      <h3 id="tasks-title">Tasks of the shop</h3>
      <DataTable
        caption="The tasks and their attempts"
        columns={[
          ...COLUMNS,
          ...(isOpen ? [NEXT_RUN] : []),
          ...(hasError ? [ERROR] : []),
          ...(canRetry ? [retry] : []),
        ]}
        rows={rows}
        keyOf={({ taskId }) => taskId}
      />
    </section>
  )
}
