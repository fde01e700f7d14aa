import type { TransferRow } from '../../../src/api.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'
import { linkToPayment } from './route.js'
import { SituationBadge } from './situation-badge.js'

const COLUMNS: readonly Column<TransferRow>[] = [
  { name: 'Heard of', cell: ({ receivedAtMs }) => <Timestamp atMs={receivedAtMs} /> },
  {
    name: 'Order',
    cell: (row) => (
      <a class="reference" href={linkToPayment(row)}>
        {row.reference === '' ? 'no order' : row.reference}
      </a>
    ),
  },
  { name: 'State', cell: ({ situation }) => <SituationBadge situation={situation} /> },
  { name: 'What happened', cell: ({ situation }) => <span>{situation.happened}</span> },
]

/** A list of payments with links to their stories. */
export function TransferTable({ transfers }: { transfers: readonly TransferRow[] }) {
  return (
    <DataTable
      caption="Payments, newest first"
      columns={COLUMNS}
      rows={transfers}
      keyOf={({ reportId }) => reportId}
    />
  )
}
