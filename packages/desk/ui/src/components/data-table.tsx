import type { ComponentChildren } from 'preact'

/** A column of a table. */
export interface Column<Row> {
  name: string
  cell: (row: Row) => ComponentChildren
}

/** Props of {@link DataTable}. */
export interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** A table whose rows become cards on narrow screens. Roles restore what CSS removes there. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <table role="table">
      <caption class="for-readers">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name }) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ name, cell }) => (
              <td key={name} role="cell" data-label={name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
