import type { StoryHandler } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'
import type { Tone } from '../text/decisions.js'
import { ActionButton } from './action-button.js'
import type { ReportProps } from './report-props.js'

const TONES: Record<StoryHandler['state'], Tone> = {
  open: 'wait',
  relayed: 'wait',
  done: 'good',
  dead: 'bad',
}

/** A relayed one is handed over again, in case the engine has lost it. */
const RETRIED: ReadonlySet<StoryHandler['state']> = new Set(['dead', 'relayed'])

const COLUMNS: readonly Column<StoryHandler>[] = [
  { name: 'Handler', cell: ({ handler }) => handler },
  {
    name: 'State',
    cell: ({ state, isRunning }) => (
      <Badge tone={TONES[state]}>{isRunning ? 'running' : state}</Badge>
    ),
  },
  { name: 'Attempts', cell: ({ attempts }) => attempts },
  {
    name: 'Next run',
    cell: ({ state, dueAtMs }) => (state === 'open' ? <Timestamp atMs={dueAtMs} /> : '–'),
  },
  {
    name: 'Handed over',
    cell: ({ relayedAtMs }) => (relayedAtMs === undefined ? '–' : <Timestamp atMs={relayedAtMs} />),
  },
  { name: 'Error', cell: ({ error }) => (error === undefined ? '–' : <code>{error}</code>) },
]

/** The handlers of a report, their attempts and errors. */
export function HandlerTable({ report, session, onDone }: ReportProps) {
  const { reportId, handlers } = report
  const retry: Column<StoryHandler> = {
    name: 'Action',
    cell: ({ handler, state }) =>
      RETRIED.has(state) ? (
        <ActionButton
          action="retry"
          label="Retry"
          session={session}
          request={(note) => ({ reportId, handler, note })}
          onDone={onDone}
        />
      ) : (
        '–'
      ),
  }
  const canRetry =
    session.actions.includes('retry') && handlers.some(({ state }) => RETRIED.has(state))
  return (
    <>
      <h4>Handlers</h4>
      <DataTable
        caption="The handlers and their attempts"
        columns={canRetry ? [...COLUMNS, retry] : COLUMNS}
        rows={handlers}
        keyOf={({ taskId }) => taskId}
      />
    </>
  )
}
