import type { OrderRow } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'
import { linkTo } from './route.js'

const COLUMNS: readonly Column<OrderRow>[] = [
  {
    name: 'Created',
    cell: ({ createdAtMs }) => (createdAtMs === undefined ? '–' : <Timestamp atMs={createdAtMs} />),
  },
  {
    name: 'Order',
    cell: ({ reference, merchant }) => (
      <span>
        <a class="reference" href={linkTo('payment', { reference, merchant })}>
          {reference}
        </a>{' '}
        {merchant}
      </span>
    ),
  },
  { name: 'State', cell: ({ state }) => <Badge tone={state.tone}>{state.name}</Badge> },
  { name: 'Price', cell: ({ price }) => <span>{price}</span> },
]

/** A list of orders with links to their payments. */
export function OrderTable({ orders }: { orders: readonly OrderRow[] }) {
  return (
    <DataTable
      caption="Orders"
      columns={COLUMNS}
      rows={orders}
      keyOf={({ merchant, reference }) => `${merchant} ${reference}`}
    />
  )
}
