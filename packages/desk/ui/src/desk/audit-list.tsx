import type { AuditRecord } from '../../../src/api.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'

const COLUMNS: readonly Column<AuditRecord>[] = [
  { name: 'Time', cell: ({ atMs }) => <Timestamp atMs={atMs} /> },
  { name: 'Action', cell: ({ action }) => action },
  { name: 'Operator', cell: ({ by }) => by },
  { name: 'Note', cell: ({ note }) => note ?? '–' },
]

/** The actions of operators on a payment. */
export function AuditList({ records }: { records: readonly AuditRecord[] }) {
  if (records.length === 0) return null
  return (
    <section class="card" aria-labelledby="audit-title">
      <h3 id="audit-title">Audit</h3>
      <DataTable
        caption="The actions of operators, newest first"
        columns={COLUMNS}
        rows={records}
        keyOf={({ atMs, action, by }) => `${atMs} ${action} ${by}`}
      />
    </section>
  )
}
