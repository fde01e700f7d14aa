import type { Position } from './cursor.js'
import type { PageQuery } from './pages.js'
import type { WireParams } from '../schema/params-object.js'

export interface SegmentPosition extends Position {
  /** Keyset: the key of the last row, decimal. */
  readonly key?: string
  /** Keyset: the rows with that key that were read. */
  readonly seen?: readonly string[]
  /** Keyset, ascending: the newest key when the loop started, which is its end. */
  readonly endKey?: string
  /** Offset: the number of rows read. Keyset: the number of rows with that key that the next page skips. */
  readonly offset?: number
  /** Offset: the last of those rows. */
  readonly recent?: readonly string[]
  /** Offset: the index to read again from, because the list has moved. */
  readonly rereadFrom?: number
  /** The last row of a page without new rows; keyset: only of a page that should have started after such rows. */
  readonly lastKnown?: string
  /** Offset: the number of rows of the largest page. Keyset: that of the page without new rows. */
  readonly largest?: number
  /** Offset: the number of consecutive pages with far fewer rows. */
  readonly thinPages?: number
}

export interface ListPosition extends SegmentPosition {
  /** The index of the segment. */
  readonly segment: number
}

/** Selects a page of a segment. Its position is absent at the start of the segment. */
export interface SegmentQuery<At extends SegmentPosition = SegmentPosition> extends PageQuery<At> {
  params: WireParams
}

export interface SegmentPage {
  items: unknown[]
  isLast: boolean
  isShort?: boolean
  /** The position after the whole page. */
  end: SegmentPosition | undefined
}

/** A part of a list that is paginated in one way. */
export interface Segment {
  /** Returns the parameters of a page. */
  request(query: SegmentQuery): WireParams
  read(rows: readonly unknown[], query: SegmentQuery): SegmentPage
  /** Returns the position after the first items of a page, at least one. */
  after(items: readonly unknown[], query: SegmentQuery): SegmentPosition
}

/** Returns the unknown rows, each once: a transaction is listed for each of its messages that match a filter. */
export function unknownRows(
  rows: readonly unknown[],
  idOf: (row: unknown) => string,
  known: readonly string[] = [],
): unknown[] {
  const ids = new Set(known)
  return rows.filter((row) => {
    const id = idOf(row)
    if (ids.has(id)) return false
    ids.add(id)
    return true
  })
}

export function parseListPosition(position: Position): ListPosition | undefined {
  const { segment, key, seen, endKey, offset, recent, rereadFrom, lastKnown } = position
  const { largest, thinPages } = position
  const isValid =
    isCount(segment) &&
    [key, endKey].every((value) => value === undefined || isDecimal(value)) &&
    [offset, rereadFrom, largest, thinPages].every((one) => one === undefined || isCount(one)) &&
    [seen, recent].every((value) => value === undefined || isStrings(value)) &&
    (lastKnown === undefined || typeof lastKnown === 'string')
  // Each field was checked.
  return isValid ? (position as ListPosition) : undefined
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,19}$/.test(value)
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
