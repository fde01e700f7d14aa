import Table from 'cli-table3'
import type { Outcome } from './outcome.js'

/** A scene that was played. */
export interface Row {
  sent: string
  promised: Outcome
  observed: Outcome
  /** Whether all is as promised. */
  isKept: boolean
}

// 100 columns in all; the widest words of the decisions and handlers just fit.
const COLUMN_WIDTHS = [3, 27, 13, 22, 12, 16]
const HEAD = ['', 'What was sent', 'Answers', 'Decision', 'Order afterwards', 'Handlers run']

/** Draws the rows, each with a check mark when it is as promised. */
export function renderTable(rows: readonly Row[]): string {
  const table = new Table({
    head: HEAD,
    colWidths: COLUMN_WIDTHS,
    wordWrap: true,
    // No colours, so that the table can be piped into a file.
    style: { head: [], border: [] },
  })
  for (const { sent, observed, isKept } of rows) {
    const { answers, decisions, order, handlers } = observed
    table.push([isKept ? '✔' : '✘', sent, answers, decisions, order, handlers])
  }
  return table.toString()
}
