import { HttpError } from '../server/http-error.js'
import { bigintOf, integerOf, sortOf } from './parameters.js'

const MOST_ROWS = 1000
const DEFAULT_ROWS = 10

/** The sort key of a row; null for external messages, which have no time. */
export interface Place {
  lt: bigint | null
  /** Unix seconds. */
  utime: number | null
  /** Breaks ties between rows of one lt; unique among them. */
  tie: string
}

/** A row with its sort key. */
export interface PlacedRow<Row> extends Place {
  row: Row
}

/**
 * Returns a page of the rows within the requested bounds, in the requested order.
 * @param areTiesAlong sorts ties in the same direction as the list @default false
 */
export function timedPage<Row>(
  query: URLSearchParams,
  rows: readonly PlacedRow<Row>[],
  { areTiesAlong = false } = {},
): Row[] {
  const within = rows.filter(withinBounds(query))
  const isTimed = query.has('start_utime') || query.has('end_utime')
  const sign = sortOf(query) === 'asc' ? 1 : -1
  const compare = (one: PlacedRow<Row>, other: PlacedRow<Row>): number =>
    (isTimed ? sign * compareValues(one.utime, other.utime) : 0) ||
    sign * compareValues(one.lt, other.lt) ||
    (areTiesAlong ? sign : 1) * compareValues(one.tie, other.tie)
  return pageOf(
    query,
    within.toSorted(compare).map(({ row }) => row),
    500,
  )
}

/** Returns a filter for the requested bounds of lt and time, both inclusive. */
export function withinBounds(query: URLSearchParams): (place: Omit<Place, 'tie'>) => boolean {
  const [startLt, endLt] = [bigintOf(query, 'start_lt'), bigintOf(query, 'end_lt')]
  const [startUtime, endUtime] = [integerOf(query, 'start_utime'), integerOf(query, 'end_utime')]
  return ({ lt, utime }) =>
    (startLt === undefined || (lt !== null && lt >= startLt)) &&
    (endLt === undefined || (lt !== null && lt <= endLt)) &&
    (startUtime === undefined || (utime !== null && utime >= startUtime)) &&
    (endUtime === undefined || (utime !== null && utime <= endUtime))
}

/** Returns a page of rows. @param status the HTTP status when `limit` is too large */
export function pageOf<Row>(query: URLSearchParams, rows: readonly Row[], status = 422): Row[] {
  const limit = Math.max(1, integerOf(query, 'limit') ?? DEFAULT_ROWS)
  if (limit > MOST_ROWS)
    throw new HttpError(status, `limit is not allowed: ${limit} > ${MOST_ROWS}`)
  const offset = Math.max(0, integerOf(query, 'offset') ?? 0)
  return rows.slice(offset, offset + limit)
}

/** Compares two values; null is last, as in PostgreSQL. */
export function compareValues(
  one: bigint | number | string | null,
  other: bigint | number | string | null,
): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (one === other) return 0
  return one < other ? -1 : 1
}
