import { useState } from 'preact/hooks'
import type { DeskHealth, HealthCheck, Session, TransferGroup } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { Chart } from '../components/chart.js'
import { CodeBlock } from '../components/code-block.js'
import { type Column, DataTable } from '../components/data-table.js'
import type { Tone } from '../text/decisions.js'
import { LookButton } from './look-button.js'
import { linkTo } from './route.js'
import { Outcome, type OutcomeText } from './outcome.js'
import { useResource } from './use-resource.js'

const REFRESH_MS = 5000
const TONES: Record<DeskHealth['status'], Tone> = { up: 'good', degraded: 'wait', down: 'bad' }

const COLUMNS: readonly Column<HealthCheck>[] = [
  { name: 'Part', cell: ({ name }) => name },
  { name: 'State', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
  { name: 'Detail', cell: (check) => <Detail check={check} /> },
]

/** The lists that show what is wrong with a part. */
const LISTS: Readonly<Record<string, TransferGroup>> = { tasks: 'dead', messages: 'unreadable' }

function Detail({ check: { name, status, detail } }: { check: HealthCheck }) {
  const group = status === 'up' ? undefined : LISTS[name]
  return (
    <>
      {detail ?? '–'} {group && <a href={linkTo('transfers', { group })}>Show the payments</a>}
    </>
  )
}

/** The health of the sources, the cursor and the queue, now and over time. */
export function HealthPage({ session }: { session: Session }) {
  const { data: newest, problem } = useResource<DeskHealth>('api/health', REFRESH_MS)
  // The health of a server that no longer responds is not known.
  const data = problem === undefined ? newest : undefined
  const [outcome, setOutcome] = useState<OutcomeText>()
  return (
    <>
      <header class="page-head">
        <div class="with-action">
          <h2 class="page-title">
            Health{' '}
            <span role="status">
              {data && <Badge tone={TONES[data.status]}>{data.status}</Badge>}
            </span>
          </h2>
          <LookButton session={session} onDone={setOutcome} />
        </div>
        <Outcome outcome={outcome} />
      </header>
      <p class="notice" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
      {data && <HealthDetails health={data} />}
    </>
  )
}

function HealthDetails({ health }: { health: DeskHealth }) {
  const details = { payments: health.payments, watcher: health.watcher }
  // Without a watcher there is no cursor.
  const isShown = (name: string): boolean =>
    name !== 'seconds behind the chain' || health.watcher !== undefined
  const series = health.series.filter(({ name }) => isShown(name))
  return (
    <>
      <section class="card" aria-label="Parts">
        <DataTable
          caption="The parts and their states"
          columns={COLUMNS}
          rows={health.checks}
          keyOf={({ name }) => name}
        />
      </section>
      <div class="charts">
        {series.map(({ name, points }) => (
          <Chart key={name} name={name} points={points} />
        ))}
      </div>
      <details class="card">
        <summary>All values</summary>
        <CodeBlock name="All values of the health" text={JSON.stringify(details, null, 2)} />
      </details>
    </>
  )
}
