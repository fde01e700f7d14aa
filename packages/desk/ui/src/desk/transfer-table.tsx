import type { TransferRow } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { CopyableCode } from '../components/copyable-code.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'
import { formatAmount } from '../text/amount.js'
import { DecisionBadges } from './decision-badges.js'
import { linkToPayment } from './route.js'

/** The work of an operator. */
const WORK: Record<TransferRow['action'], string> = {
  none: '',
  wait: 'wait',
  attach: 'attach it to an order',
  refund: 'refund it',
  check: 'check it',
}

const COLUMNS: readonly Column<TransferRow>[] = [
  { name: 'Received', cell: ({ receivedAtMs }) => <Timestamp atMs={receivedAtMs} /> },
  {
    name: 'Reference',
    cell: (row) => (
      <a class="reference" href={linkToPayment(row)}>
        {row.reference === '' ? 'no reference' : row.reference}
      </a>
    ),
  },
  { name: 'Amount', cell: (row) => <span class="number">{formatAmount(row)}</span> },
  { name: 'Decision', cell: (row) => <DecisionBadges report={row} /> },
  {
    name: 'To do',
    cell: ({ action }) => (WORK[action] === '' ? '–' : <Badge tone="wait">{WORK[action]}</Badge>),
  },
  { name: 'Door', cell: ({ source }) => source },
  {
    name: 'Transaction',
    cell: ({ txHash }) =>
      txHash === '' ? '–' : <CopyableCode name="the transaction" value={txHash} isShort />,
  },
]

/** A list of transfers with links to their stories. */
export function TransferTable({ transfers }: { transfers: readonly TransferRow[] }) {
  return (
    <DataTable
      caption="Transfers, newest first"
      columns={COLUMNS}
      rows={transfers}
      keyOf={({ reportId }) => reportId}
    />
  )
}
