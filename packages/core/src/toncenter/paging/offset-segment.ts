import { invalidPage } from './errors.js'
import type { WireParams } from '../schema/params-object.js'
import {
  unknownRows,
  type Segment,
  type SegmentPage,
  type SegmentPosition,
  type SegmentQuery,
} from './segment.js'

/** Rows to remember: up to as many may be added or removed between two pages without a repeated or missing row. */
const REMEMBERED = 1000

/** After as many thin pages in a row, only rows that are being added are left: the loop does not wait for them. */
const MAX_THIN_PAGES = 20

export interface OffsetRules {
  endpoint: string
  idOf(this: void, row: unknown): string
  /** Parameters that the segment adds. */
  extraParams?: WireParams
  /** `true` if the list never changes, so that a page without new rows is the end even if the server ignores `offset`. */
  isFixed?: boolean
}

/**
 * Paginates by offset, for lists without a key. Each page starts with the last row of the previous one; if it does not, the
 * list has moved. Rows added before it only repeat known rows, which are left out. If rows were removed, the last 1000
 * positions are read again. The server skips all rows before the offset, so later pages cost more.
 *
 * A short page is not the end, since servers may return fewer rows than requested. The list ends where a page has only the
 * last known row, or where many consecutive pages have few rows, because the list is just growing.
 */
export function offsetSegment(rules: OffsetRules): Segment {
  return {
    request: ({ params, position, pageSize }) => ({
      ...params,
      ...rules.extraParams,
      limit: pageSize,
      offset: firstIndex(position),
    }),
    read: (rows, query) => readPage(rules, rows, query),
    // Known rows may have been between these, so this is the lowest possible position.
    after: (rows, { position }) =>
      advance(rules, position, rows, position?.rereadFrom ?? position?.offset ?? 0),
  }
}

/** Returns the position after rows that begin at an index. */
function advance(
  { idOf }: OffsetRules,
  { recent = [], largest = 0 }: SegmentPosition = {},
  rows: readonly unknown[],
  index: number,
): SegmentPosition {
  return {
    offset: index + rows.length,
    recent: [...new Set([...recent, ...rows.map(idOf)])].slice(-REMEMBERED),
    largest: Math.max(largest, rows.length),
  }
}

function readPage(
  rules: OffsetRules,
  rows: readonly unknown[],
  { position, pageSize }: SegmentQuery,
): SegmentPage {
  const { idOf, isFixed, endpoint } = rules
  const index = firstIndex(position)
  const recent = position?.recent ?? []
  const first = rows[0]
  if (isOverlapping(position) && (first === undefined || !recent.includes(idOf(first)))) {
    const rereadFrom = Math.max(0, index + 1 - recent.length)
    return { items: [], isLast: false, end: { ...position, rereadFrom } }
  }
  const items = unknownRows(rows, idOf, recent)
  const end = advance(rules, position, rows, index)
  const last = rows.at(-1)
  if (last === undefined) return { items, isLast: true, end }
  if (items.length > 0) {
    const isThin = rows.length <= (end.largest ?? 0) / 2
    const thinPages = isThin ? (position?.thinPages ?? 0) + 1 : 0
    return { items, isLast: thinPages >= MAX_THIN_PAGES, end: { ...end, thinPages } }
  }
  // Known rows only: the end, or rows were added before it. In that case the next page ends with another row.
  const lastKnown = idOf(last)
  const isLast = rows.length === 1 || isFixed === true || lastKnown === position?.lastKnown
  // The page is full, so more rows may follow that cannot be requested.
  if (isLast && rows.length > 1 && rows.length >= pageSize) {
    throw invalidPage(endpoint, 'the page at its offset: it is full and repeats the previous page')
  }
  return { items, isLast, end: { ...end, lastKnown } }
}

function firstIndex({ rereadFrom, offset = 0 }: SegmentPosition = {}): number {
  return rereadFrom ?? Math.max(0, offset - 1)
}

/** Returns true if the page must start with a known row. */
function isOverlapping({ rereadFrom, offset = 0 }: SegmentPosition = {}): boolean {
  return rereadFrom === undefined && offset > 0
}
