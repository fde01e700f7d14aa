import { ResponseShapeError } from '../../errors/api.js'
import type { WireParams } from '../../schema/check-params.js'
import { unknownRows, type Leg, type LegPlace } from './leg.js'

/** How many rows are remembered: so many may come or go between two pages before one comes twice or is left out. */
const REMEMBERED = 1000

/** After so many thin pages in a row, what comes is what is being added: a walk does not wait for it. */
const THIN_PAGES = 20

/** How a leg goes by offset. */
export interface OffsetRules<Row> {
  endpoint: string
  idOf: (row: Row) => string
  /** Parameters that the leg adds. */
  also?: WireParams
  /** Whether the list never changes, so that a page without news is the end, whatever the server makes of `offset`. */
  isFixed?: boolean
}

/**
 * Pages by offset, for lists that have nothing to page by. Each page begins with the last row of the one before: when
 * it no longer does, the list has moved. Rows that were added ahead of it only bring known rows again, which are left
 * out; when rows have gone, the last 1000 places are read once more. The server skips all that was read before, so a
 * page costs the more the later it comes.
 *
 * A page that is not full says nothing: servers may answer fewer rows than they are asked for. The list ends where a
 * page holds the last known row alone, or where it only just grows: many pages in a row with a few rows each.
 */
export function offsetLeg<Row>({ endpoint, idOf, also, isFixed }: OffsetRules<Row>): Leg<Row> {
  const advance = (
    place: LegPlace | undefined,
    rows: readonly Row[],
    offset: number,
  ): LegPlace => ({
    offset,
    recent: [...new Set([...(place?.recent ?? []), ...rows.map(idOf)])].slice(-REMEMBERED),
    largest: Math.max(place?.largest ?? 0, rows.length),
  })

  return {
    request: ({ params, place, pageSize }) => ({
      ...params,
      ...also,
      limit: pageSize,
      offset: firstIndex(place),
    }),
    read(rows, { place, pageSize }) {
      const index = firstIndex(place)
      const recent = place?.recent ?? []
      const first = rows[0]
      if (isRepeating(place) && (first === undefined || !recent.includes(idOf(first)))) {
        const from = Math.max(0, index + 1 - recent.length)
        return { fresh: [], isLast: false, end: { ...place, from } }
      }
      const fresh = unknownRows(rows, idOf, recent)
      const end = advance(place, rows, index + rows.length)
      const last = rows.at(-1)
      if (last === undefined) return { fresh, isLast: true, end }
      if (fresh.length > 0) {
        const isThin = rows.length <= (end.largest ?? 0) / 2
        const thin = isThin ? (place?.thin ?? 0) + 1 : 0
        return { fresh, isLast: thin >= THIN_PAGES, end: { ...end, thin } }
      }
      // Known rows only: either it is the end, or rows were added ahead. Then the next page ends with another row.
      const still = idOf(last)
      const isLast = rows.length === 1 || isFixed === true || still === place?.still
      if (isLast && rows.length > 1 && rows.length >= pageSize) throw offsetIgnored(endpoint)
      return { fresh, isLast, end: { ...end, still } }
    },
    // Rows between these may have been known, so this is the earliest place that it can be.
    after: (rows, { place }) =>
      advance(place, rows, (place?.from ?? place?.offset ?? 0) + rows.length),
  }
}

function firstIndex({ from, offset = 0 }: LegPlace = {}): number {
  return from ?? Math.max(0, offset - 1)
}

/** Whether the page must begin with a row that was read. */
function isRepeating({ from, offset = 0 }: LegPlace = {}): boolean {
  return from === undefined && offset > 0
}

/** More may follow a full page, and cannot be asked for. */
function offsetIgnored(endpoint: string): ResponseShapeError {
  const expected = 'the page at its offset: it is full, and holds what the page before held'
  return new ResponseShapeError({ endpoint, attempts: 1, path: '', expected, requestId: undefined })
}
