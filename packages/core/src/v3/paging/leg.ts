import type { Position } from '../../paging/strategy.js'
import type { WireParams } from '../../schema/check-params.js'

/** A place within a leg. */
export interface LegPlace extends Position {
  /** By key: the key of the last row, decimal. */
  readonly key?: string
  /** By key: the rows at that key that were read. */
  readonly same?: readonly string[]
  /** By key, ascending: where the walk ends, as it was when the walk began. */
  readonly until?: string
  /** By offset: how many rows of the server's list were read. By key: how many at that key the next page skips. */
  readonly offset?: number
  /** By offset: the last of those rows. */
  readonly recent?: readonly string[]
  /** By offset: where to read once more from, since the list has moved. */
  readonly from?: number
  /** The last row of a page that held nothing new; by key, of one that was to begin past such rows. */
  readonly still?: string
  /** By offset: the rows of the largest page. By key: those of the page that held nothing new. */
  readonly largest?: number
  /** By offset: how many pages in a row held far fewer. */
  readonly thin?: number
}

/** A place in a list of API v3. */
export interface ListPosition extends LegPlace {
  /** Which of the walk's legs it is in. */
  readonly leg: number
}

/** Which page of a leg is meant. */
export interface LegQuery {
  params: WireParams
  /** Absent at the leg's beginning. */
  place: LegPlace | undefined
  pageSize: number
  /** The largest page that the server is known to take. */
  most: number
}

/** What an answer holds for a leg. */
interface LegAnswer<Row> {
  /** Rows that were not read before. */
  fresh: readonly Row[]
  isLast: boolean
  /** Whether the answer held fewer rows than it was asked for. */
  isShort?: boolean
  /** The place after the whole answer. */
  end: LegPlace
}

/** A part of a walk that is paged in one way. */
export interface Leg<Row> {
  request(query: LegQuery): WireParams
  read(rows: readonly Row[], query: LegQuery): LegAnswer<Row>
  /** The place after `rows`, the first ones of a page that are new. */
  after(rows: readonly Row[], query: LegQuery): LegPlace
}

/** The rows that are not known, each once: a transaction is listed for each of its messages that fits a filter. */
export function unknownRows<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  known: readonly string[],
): Row[] {
  const ids = new Set(known)
  return rows.filter((row) => {
    const id = idOf(row)
    if (ids.has(id)) return false
    ids.add(id)
    return true
  })
}

/** Reads a stored place; `undefined` when it is none. */
export function parseListPosition(position: Position): ListPosition | undefined {
  const { leg, key, same, until, offset, recent, from, still, largest, thin } = position
  const isPlace =
    isCount(leg) &&
    (key === undefined || isDecimal(key)) &&
    (until === undefined || isDecimal(until)) &&
    (offset === undefined || isCount(offset)) &&
    (from === undefined || isCount(from)) &&
    (still === undefined || typeof still === 'string') &&
    (largest === undefined || isCount(largest)) &&
    (thin === undefined || isCount(thin)) &&
    (same === undefined || isTexts(same)) &&
    (recent === undefined || isTexts(recent))
  // Each of its fields was looked at.
  return isPlace ? (position as ListPosition) : undefined
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,19}$/.test(value)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
