import type { RuleVerdict } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { type Column, DataTable } from '../components/data-table.js'

/** The built-in checks in words. */
const CHECKS: Readonly<Record<string, string>> = {
  'order exists': 'The order exists',
  'not completed': 'The order is not paid yet',
  succeeded: 'The transfer succeeded',
  amount: 'The amount fits',
  asset: 'The coin fits',
  wallet: 'The wallet belongs to the shop',
}

const COLUMNS: readonly Column<RuleVerdict>[] = [
  {
    name: 'Check',
    cell: ({ rule, received }) =>
      CHECKS[rule] ?? [rule, received].filter((text) => text !== undefined).join(': '),
  },
  {
    name: 'Result',
    cell: ({ passed }) => <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'yes' : 'no'}</Badge>,
  },
]

/** The checks of a payment against its order as it is now. */
export function RuleTable({ rules }: { rules: readonly RuleVerdict[] }) {
  return (
    <DataTable
      caption="The checks of the payment"
      columns={COLUMNS}
      rows={rules}
      keyOf={({ rule }) => rule}
    />
  )
}
