import type { IndexRow } from './index-rows.js'

/** The columns that rows are ordered by. */
type Axis = 'lt' | 'utime' | 'account' | 'id'

/** A query of a table. */
export interface TableQuery {
  axis: Axis
  isAscending: boolean
  /** Bounds of the axis, inclusive; rows without a value are outside of any. */
  least: number | undefined
  most: number | undefined
  where: (row: IndexRow) => boolean
  offset: number
  limit: number
}

/** The rows of a query, and its cost. */
interface TablePage {
  rows: IndexRow[]
  /** Rows that were looked at, skipped ones included. */
  work: number
}

/** Rows with an index for every order. */
export interface Table {
  insert(...rows: IndexRow[]): void
  remove(id: number): void
  query: (query: TableQuery) => TablePage
  readonly size: number
}

/** Decides between rows with one key. `isAscending` is the order of the key. */
export type TieOrder = (one: IndexRow, other: IndexRow, isAscending: boolean) => number

/** A table of PostgreSQL: rows without a key come last in ascending order, and first otherwise. */
export function createTable(rows: readonly IndexRow[], tieOrder: TieOrder): Table {
  const indexes = new Map<string, IndexRow[]>()
  const all = new Map(rows.map((row) => [row.id, row]))

  const compare = (axis: Axis, isAscending: boolean) => (one: IndexRow, other: IndexRow) => {
    const byKey = (one[axis] ?? Infinity) - (other[axis] ?? Infinity)
    // Two infinities have no difference.
    if (byKey !== 0 && !Number.isNaN(byKey)) return isAscending ? byKey : -byKey
    return tieOrder(one, other, isAscending)
  }
  const indexOf = (axis: Axis, isAscending: boolean): IndexRow[] => {
    const name = `${axis} ${isAscending}`
    const index = indexes.get(name) ?? [...all.values()].toSorted(compare(axis, isAscending))
    indexes.set(name, index)
    return index
  }

  return {
    get size() {
      return all.size
    },
    insert(...added) {
      for (const row of added) {
        all.set(row.id, row)
        for (const [name, index] of indexes) {
          const [axis, isAscending] = name.split(' ') as [Axis, string]
          const order = compare(axis, isAscending === 'true')
          index.splice(
            firstIndex(index, (other) => order(row, other) < 0),
            0,
            row,
          )
        }
      }
    },
    remove(id) {
      all.delete(id)
      indexes.clear()
    },
    query({ axis, isAscending, least, most, where, offset, limit }) {
      const index = indexOf(axis, isAscending)
      const isBounded = least !== undefined || most !== undefined
      const isIn = (row: IndexRow): boolean => {
        const key = row[axis]
        if (key === null || key === undefined) return !isBounded
        return key >= (least ?? -Infinity) && key <= (most ?? Infinity)
      }
      const isBeyondStart = (row: IndexRow): boolean => {
        const key = row[axis]
        if (key === null || key === undefined) return isAscending || !isBounded
        return isAscending ? key >= (least ?? -Infinity) : key <= (most ?? Infinity)
      }
      const found: IndexRow[] = []
      for (let at = firstIndex(index, isBeyondStart); at < index.length; at++) {
        const row = index[at] as IndexRow
        if (!isIn(row)) break
        if (where(row) && found.push(row) === offset + limit) break
      }
      return { rows: found.slice(offset), work: found.length }
    },
  }
}

/** The first index for which `matches` is true; all after it must match too. */
function firstIndex(rows: readonly IndexRow[], matches: (row: IndexRow) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (matches(rows[middle] as IndexRow)) high = middle
    else low = middle + 1
  }
  return low
}
