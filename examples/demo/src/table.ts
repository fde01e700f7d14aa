import Table from 'cli-table3'
import type { Outcome } from './outcome.js'

/** A scenario, and its observed outcome. */
export interface Row {
  sent: string
  promised: Outcome
  observed: Outcome
  /** True if the outcome is as promised. */
  isAsPromised: boolean
}

// 100 columns in total; the longest words of the decisions and handlers fit.
const COLUMN_WIDTHS = [3, 26, 13, 22, 12, 17]
const HEAD = ['', 'What was sent', 'Answers', 'Decision', 'Order afterwards', 'Handlers run']

/** Returns the rows as a table, with a check mark for each that is as promised. */
export function renderTable(rows: readonly Row[]): string {
  const table = new Table({
    head: HEAD,
    colWidths: COLUMN_WIDTHS,
    wordWrap: true,
    // No colors, so that the table can be piped into a file.
    style: { head: [], border: [] },
  })
  for (const { sent, observed, isAsPromised } of rows) {
    const { answers, decisions, order, handlers } = observed
    table.push([isAsPromised ? '✔' : '✘', sent, answers, decisions, order, handlers])
  }
  return table.toString()
}
