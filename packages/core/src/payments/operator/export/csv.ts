import { EXPORT_COLUMNS, type ExportRow } from './export-row.js'

/** Columns with text that strangers or the shop wrote. */
const TEXTS: ReadonlySet<keyof ExportRow> = new Set([
  'reference',
  'merchant',
  'currency',
  'comment',
  'operator',
  'reason',
])
/**
 * A spreadsheet reads a cell that begins with one of these as a formula. Where the decimal sign is a comma, it begins a cell
 * after each semicolon and each row.
 */
const FORMULA = /^(?=[=+\-@\t\r\n])|(?<=[;\r\n])(?=["'\s]*[=+\-@])/g
const SPECIAL = /["\r\n,]/

/** Returns the rows as lines of CSV (RFC 4180), the names of the columns first. Text cannot become a formula. */
export async function* csvLines(rows: AsyncIterable<ExportRow>): AsyncIterable<string> {
  yield `${EXPORT_COLUMNS.join(',')}\r\n`
  for await (const row of rows) {
    yield `${EXPORT_COLUMNS.map((column) => cell(row, column)).join(',')}\r\n`
  }
}

/** Returns the rows as lines of JSON. */
export async function* jsonLines(rows: AsyncIterable<ExportRow>): AsyncIterable<string> {
  for await (const row of rows) {
    const fields = EXPORT_COLUMNS.map((column) => [column, row[column]] as const)
    yield `${JSON.stringify(Object.fromEntries(fields))}\n`
  }
}

function cell(row: ExportRow, column: keyof ExportRow): string {
  const value = row[column]
  const text = TEXTS.has(column) ? value.replaceAll(FORMULA, "'") : value
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
