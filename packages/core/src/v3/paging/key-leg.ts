import { ResponseShapeError, ServerError } from '../../errors/api.js'
import type { WireParams } from '../../schema/check-params.js'
import { fillKeys } from './fill-keys.js'
import { unknownRows, type Leg, type LegPlace, type LegQuery } from './leg.js'

/** What rows are ordered by, and the parameters that bound it, both inclusive. */
export interface Axis<Row> {
  start: 'start_lt' | 'start_utime'
  end: 'end_lt' | 'end_utime'
  /** The field, for errors. */
  field: string
  keyOf(row: Row): bigint | number | undefined
}

/** The largest values of the bounds, where a walk has no other end. */
const OPEN_ENDS = { end_lt: '9223372036854775807', end_utime: '2147483647' }

/** Whether a place is before where the list ended when its walk began. */
export function isBeforeEnd({ key, until }: LegPlace = {}): boolean {
  if (until === undefined || isOpenEnd(until)) return false
  return BigInt(key ?? -1) < BigInt(until)
}

function isOpenEnd(until: string): boolean {
  return Object.values(OPEN_ENDS).includes(until)
}

/** How a leg goes along a key. */
export interface KeyRules<Row> {
  endpoint: string
  axis: Axis<Row>
  idOf: (row: Row) => string
  /** Parameters that the leg adds. */
  also?: WireParams
  /** Whether a row may be listed at another place later, or no longer. */
  canMove?: boolean
  /** Whether a server may list rows without the key; they come first when the newest come first, so they are left out. */
  canLackKey?: boolean
  /** Whether the server leaves open in which order it lists rows with one key, so that an offset among them means nothing. */
  isTieOrderOpen?: boolean
  /** Whether nothing is older than the row, newest first. */
  isOldest?: ((row: Row) => boolean) | undefined
  /** Whether an ascending walk ends at the parameters' end, whatever arrives before it meanwhile. */
  hasEnd?: boolean
  /** Whether known rows alone are taken for the end, where the same is read again soon. */
  isEndUnproven?: boolean
}

/**
 * Pages by the key of the last row: each request begins at that key, and what was read there before is left out. Rows
 * that arrive meanwhile do not shift anything, and the hundredth page costs the server what the first one does. Only
 * where one key fills half a page, an offset goes past what was read at that key; where the server leaves the order of
 * such rows open, a larger page is asked for instead, and rows that no page can hold are an error.
 *
 * A page that is not full says nothing: servers may answer fewer rows than they are asked for, and those may all be
 * known. The list ends where a request that goes past the known rows of the last key is answered with nothing.
 *
 * Newest first, what arrives after the first page is newer than the walk. Oldest first, a walk asks for the newest row
 * before it begins, and ends there.
 */
export function keyLeg<Row>(rules: KeyRules<Row>): Leg<Row> {
  const { idOf } = rules
  const after = (rows: readonly Row[], { place }: LegQuery): LegPlace => {
    const keys = keysOf(rules, rows, place)
    const key = keys.at(-1)
    if (key === undefined) return place ?? {}
    const before = place?.key === String(key) ? (place.same ?? []) : []
    const ids = rows.filter((_, index) => keys[index] === key).map(idOf)
    const same = [...new Set([...before, ...ids])]
    return { ...withUntil(place), key: String(key), same }
  }

  return {
    request: (query) => ({ ...query.params, ...rules.also, ...pageParams(rules, query) }),
    read(rows, query) {
      if (isEndWanted(rules, query)) return readEnd(rules, rows)
      const { place } = query
      const isShort = rows.length < limitOf(rules, query)
      refuseOutside(rules, rows, query)
      const last = rows.at(-1)
      if (last === undefined) return { fresh: [], isShort, ...readNothing(rules, place) }
      const fresh = unknownRows(rows, idOf, place?.same ?? [])
      refuseKeyless(rules, rows, place)
      refuseTies(rules, rows, place)
      if (fresh.length === 0) {
        return { fresh, isShort, ...readKnown(rules, query, { count: rows.length, last }) }
      }
      const isLast = !isAscending(query) && rules.isOldest?.(last) === true
      return { fresh, isLast, isShort, end: after(rows, query) }
    },
    after,
  }
}

/** An empty page: it is the end when it began past the known rows. Ahead of them, it lacks them. */
function readNothing<Row>(rules: KeyRules<Row>, place: LegPlace = {}) {
  const { same = [], until, offset } = place
  const isShown = same.length > 0 || (until !== undefined && !isOpenEnd(until))
  if (!isShown || offset !== undefined) return { isLast: true, end: place }
  if (rules.canMove !== true) throw notRepeated(rules)
  // The known rows may have gone to another place, and what follows them is now where they were.
  return { isLast: rules.isEndUnproven === true, end: { ...place, offset: 0 } }
}

/** Known rows alone: the next page begins past them, and shows whether anything follows. */
function readKnown<Row>(
  rules: KeyRules<Row>,
  query: LegQuery,
  { count, last }: { count: number; last: Row },
) {
  const { place = {}, most } = query
  if (rules.isTieOrderOpen === true && count >= most) throw tooManyTies(rules, place)
  const isShort = count < limitOf(rules, query)
  if (rules.isEndUnproven === true && isShort) return { isLast: true, end: place }
  const known = place.same?.length ?? 0
  if (place.offset === undefined) {
    const offset = Math.max(known, skippedOf(rules, query) + count)
    return { isLast: false, end: { ...place, offset, largest: count } }
  }
  // A row that arrived meanwhile shifts the known ones a little; the same page once more is another thing.
  const still = rules.idOf(last)
  if (still === place.still) throw offsetIgnored(rules)
  return { isLast: false, end: { ...place, offset: place.offset + count, still } }
}

function pageParams<Row>(rules: KeyRules<Row>, query: LegQuery): WireParams {
  const { axis, canLackKey } = rules
  const { params, place, pageSize } = query
  const start = params[axis.start] ?? (canLackKey === true ? 0 : undefined)
  const lower = start === undefined ? {} : { [axis.start]: start }
  if (isEndWanted(rules, query)) return { ...lower, sort: 'desc', limit: pageSize }
  const { key, until } = place ?? {}
  const offset = skippedOf(rules, query)
  const limit = limitOf(rules, query)
  const page = { sort: params['sort'] ?? 'desc', limit, ...(offset > 0 && { offset }) }
  const write = (value: string): string | number => (axis.end === 'end_lt' ? value : Number(value))
  if (!isAscending(query)) {
    return { ...lower, ...page, ...(key !== undefined && { [axis.end]: write(key) }) }
  }
  return {
    ...lower,
    ...page,
    ...(key !== undefined && { [axis.start]: write(key) }),
    ...(until !== undefined && { [axis.end]: write(until) }),
  }
}

/** Rows at the page's first key that are not asked for again: only as many as leave half of the page to new ones are. */
function skippedOf<Row>({ isTieOrderOpen }: KeyRules<Row>, { place, pageSize }: LegQuery): number {
  if (place?.offset !== undefined) return place.offset
  if (isTieOrderOpen === true) return 0
  return Math.max(0, (place?.same?.length ?? 0) - Math.floor(pageSize / 2))
}

/** Where rows with one key have no order, a page must hold all of them. */
function limitOf<Row>({ isTieOrderOpen }: KeyRules<Row>, query: LegQuery): number {
  const { place, pageSize, most } = query
  if (isTieOrderOpen !== true) return pageSize
  return Math.max(pageSize, Math.min(most, 2 * (place?.same?.length ?? 0)))
}

function isAscending({ params }: LegQuery): boolean {
  return params['sort'] === 'asc'
}

/** Whether the request is the one for the newest row, where an ascending walk ends. */
function isEndWanted<Row>({ hasEnd }: KeyRules<Row>, query: LegQuery): boolean {
  return isAscending(query) && hasEnd !== true && query.place?.until === undefined
}

function readEnd<Row>(rules: KeyRules<Row>, rows: readonly Row[]) {
  refuseKeyless(rules, rows, undefined)
  const [first] = rows
  if (first === undefined) return { fresh: [], isLast: true, end: {} }
  const newest = rules.axis.keyOf(first)
  // Where the newest row has no key, nothing says where the list ends now.
  const until = newest === undefined ? OPEN_ENDS[rules.axis.end] : String(newest)
  return { fresh: [], isLast: false, end: { until } }
}

function withUntil(place: LegPlace | undefined): LegPlace {
  return place?.until === undefined ? {} : { until: place.until }
}

function keysOf<Row>(
  { axis }: KeyRules<Row>,
  rows: readonly Row[],
  place: LegPlace | undefined,
): (bigint | undefined)[] {
  const start = place?.key === undefined ? undefined : BigInt(place.key)
  return fillKeys(
    rows.map((row) => axis.keyOf(row)),
    start,
  )
}

/** Without a single key there is nothing to go on from. */
function refuseKeyless<Row>(
  rules: KeyRules<Row>,
  rows: readonly Row[],
  place: LegPlace | undefined,
): void {
  if (rows.length === 0 || keysOf(rules, rows, place)[0] !== undefined) return
  throw shapeError(rules, `an integer in ${rules.axis.field} of its rows`)
}

/** A server that does not look at the bound would be asked for the same page for ever. */
function refuseOutside<Row>(rules: KeyRules<Row>, rows: readonly Row[], query: LegQuery): void {
  const at = query.place?.key
  if (at === undefined) return
  const { axis } = rules
  const isOutside = (row: Row): boolean => {
    const key = axis.keyOf(row)
    return key !== undefined && (isAscending(query) ? key < BigInt(at) : key > BigInt(at))
  }
  if (!rows.some(isOutside)) return
  const bound = isAscending(query) ? axis.start : axis.end
  throw shapeError(rules, `rows with ${axis.field} within ${bound}`)
}

/**
 * As many rows with one key are there as are known, but a page that began at the key held fewer: without an order among
 * them, some may never show.
 */
function refuseTies<Row>(
  rules: KeyRules<Row>,
  [first]: readonly Row[],
  place: LegPlace | undefined,
): void {
  const { offset, largest = 0, same = [], key } = place ?? {}
  const wasWhole = offset === undefined || largest >= same.length
  if (rules.isTieOrderOpen !== true || place === undefined || wasWhole) return
  if (first !== undefined && String(rules.axis.keyOf(first)) === key)
    throw tooManyTies(rules, place)
}

function tooManyTies<Row>(rules: KeyRules<Row>, { key, same }: LegPlace): ResponseShapeError {
  const { field } = rules.axis
  const many = `the ${same?.length ?? 0} known rows and more have ${field} ${key}`
  const help = 'ask with a narrower filter, or read these rows by another one'
  return shapeError(rules, `a page that goes beyond one ${field}: ${many}; ${help}`)
}

function shapeError<Row>({ endpoint }: KeyRules<Row>, expected: string): ResponseShapeError {
  return new ResponseShapeError({ endpoint, attempts: 1, path: '', expected, requestId: undefined })
}

/** Without an offset that is looked at, nothing tells the end from an answer that breaks off. */
function offsetIgnored<Row>(rules: KeyRules<Row>): ResponseShapeError {
  return shapeError(rules, 'the page at its offset: it holds what the page before held')
}

/** The page begins with rows that the page before ended with: where they are missing, this is not the list's end. */
function notRepeated<Row>({ endpoint, axis }: KeyRules<Row>): ServerError {
  return new ServerError({
    endpoint,
    attempts: 1,
    status: 200,
    reason: `a page breaks off ahead of known rows of one ${axis.field}`,
    requestId: undefined,
    isRetryable: true,
  })
}
