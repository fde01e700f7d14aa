import type { RuleVerdict } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { type Column, DataTable } from '../components/data-table.js'

const COLUMNS: readonly Column<RuleVerdict>[] = [
  { name: 'Rule', cell: ({ rule }) => rule },
  {
    name: 'Verdict',
    cell: ({ passed }) => (
      <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>
    ),
  },
  { name: 'Expected', cell: ({ expected }) => expected ?? '–' },
  { name: 'Received', cell: ({ received }) => received ?? '–' },
]

/** The verdict of each rule; the first that fails decides. */
export function RuleTable({ rules }: { rules: readonly RuleVerdict[] }) {
  return (
    <>
      <h4>Rules</h4>
      <DataTable
        caption="The verdict of each rule"
        columns={COLUMNS}
        rows={rules}
        keyOf={({ rule }) => rule}
      />
    </>
  )
}
